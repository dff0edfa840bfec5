import { expect } from "vitest";
import { countViolations, invariants } from "#loyalty/ledger/invariants/invariants.server.ts";
import * as calls from "#office/customers/calls.ts";
import { openTestOffice } from "./office.server.ts";

interface Account {
  id: number;
}

/** The back office with two people who merge accounts: one asks, the other approves. */
export async function openTestMerge() {
  const product = await openTestOffice();
  const { database, openOffice } = product;
  const office = await openOffice("service");
  const owner = await openOffice("owner");
  type Office = typeof office;

  const ask = (survivor: Account, other: Account, Note = "Deux fois elle", by = office) =>
    by.call(calls.mergeCustomers, { IdCustomer: survivor.id, IdOther: other.id, Reason: "request", Note });
  const approve = (by: Office, IdRequest: number) => by.call(calls.approveRequest, { IdRequest });
  const preview = (survivor: Account, other: Account, by = office) =>
    by.call(calls.previewMerge, { IdCustomer: survivor.id, IdOther: other.id });

  /** One asks; the other looks at what it would do, and approves. */
  async function merge(survivor: Account, other: Account, Note?: string, by: [Office, Office] = [office, owner]) {
    const { IdRequest } = await ask(survivor, other, Note, by[0]);
    const { Points, Vouchers } = await preview(survivor, other, by[1]);
    await approve(by[1], IdRequest);
    return { Points, Vouchers };
  }

  /** The invariants of customers too; those of points are checked after every test. */
  async function expectEverything() {
    for (const invariant of invariants)
      expect(await countViolations(database, invariant), `${invariant.number} ${invariant.name}`).toBe(0);
  }

  const record = ({ id }: Account) => owner.call(calls.readCustomer, { IdCustomer: id });
  return { ...product, office, owner, ask, approve, preview, merge, record, expectEverything };
}
