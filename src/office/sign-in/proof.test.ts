import { expect, test } from "vitest";
import * as customers from "#office/customers/calls.ts";
import * as team from "#office/team/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";

const { addMember, addPerson, clock, openOffice } = await openTestOffice();

test("a proof lasts a quarter of an hour for the kind of act it was given for, five minutes for any other", async () => {
  const start = clock.now;
  const owner = await openOffice("owner");
  const erase = async () =>
    refusalOf(owner.call(customers.eraseCustomer, { IdCustomer: (await addMember()).id, Reason: "request" }));
  const end = async () => refusalOf(owner.call(team.endPerson, { IdStaff: String((await addPerson(null)).id) }));
  const outcomes: unknown[] = [];
  for (const [minutes, act] of [
    [1, erase],
    [4, end],
    [6, end],
    [14, erase],
    [16, erase],
  ] as const) {
    clock.now = new Date(start.getTime() + minutes * 60_000);
    outcomes.push((await act()).code ?? "done");
  }
  clock.now = start;
  expect(outcomes).toEqual(["done", "done", "proof_needed", "done", "proof_needed"]);
});
