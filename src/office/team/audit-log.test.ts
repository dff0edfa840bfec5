import { beforeEach, expect, test } from "vitest";
import * as customers from "#office/customers/calls.ts";
import { pairTill } from "#office/shops/calls.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { pair } from "#till/calls.ts";
import { readAudit } from "./calls.ts";

const { addMember, clock, openBrowser, openOffice, openShop } = await openTestOffice();
const start = clock.now;
beforeEach(() => {
  clock.now = start;
});

test("an owner reads the audit log by person, action and day, page by page", async () => {
  const owner = await openOffice("owner");
  const { shopId } = await openShop();
  for (let n = 0; n < 52; n += 1) await owner.call(pairTill, { IdShop: String(shopId) });
  const IdStaff = String(owner.id);
  const Day = clock.now.toISOString().slice(0, 10);
  const first = await owner.call(readAudit, { IdStaff, Action: "pairing_code", Day });
  expect(first.Entries).toHaveLength(50);
  expect(first.Entries[0]).toMatchObject({
    MadeBy: "staff",
    IdStaff: owner.id,
    IdShop: shopId,
    Action: "pairing_code",
  });
  const rest = await owner.call(readAudit, { IdStaff, Cursor: String(first.NextCursor) });
  expect(rest).toMatchObject({ Entries: [{}, {}], NextCursor: null });
  for (const none of [{ Day: "2020-01-01" }, { IdCustomer: "1" }, { Action: "void" as const }])
    expect((await owner.call(readAudit, { IdStaff, ...none })).Entries).toEqual([]);
});

test("the log is a file, too, by the same filters; that it was taken stands in the log", async () => {
  const owner = await openOffice("owner");
  const { shopId } = await openShop();
  for (let n = 0; n < 3; n += 1) await owner.call(pairTill, { IdShop: String(shopId) });
  const query = new URLSearchParams({ IdStaff: String(owner.id), Action: "pairing_code", LanguageIsoCode: "en" });
  const response = await owner.browse(`/api/office/audit/csv?${query}`);
  expect(response.headers.get("content-disposition")).toContain("audit.csv");
  const [head, ...lines] = (await response.text()).trim().split("\r\n");
  expect(head).toMatch(/^\uFEFF?Entry,When,Made by,Colleague no.,Colleague,Action,/);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(new RegExp(`,staff,${owner.id},[^,]+,pairing_code,,${shopId},Cercle Marais,`));
  const { Entries } = await owner.call(readAudit, { IdStaff: String(owner.id), Action: "audit_listed" });
  expect(Entries).toMatchObject([{ After: { searched: true }, RequestId: response.headers.get("x-request-id") }]);
});

test("what was done at a till names the till", async () => {
  const [owner, { shopId }] = [await openOffice("owner"), await openShop()];
  const { Code } = await owner.call(pairTill, { IdShop: String(shopId), TillName: "Cabines" });
  await openBrowser().call(pair, { Code });
  const { Entries } = await owner.call(readAudit, { Action: "pair" });
  expect(Entries[0]).toMatchObject({ MadeBy: "device", IdShop: shopId, TillName: "Cabines" });
});

test("a day of the audit log is a day of Paris", async () => {
  clock.now = new Date("2026-07-02T22:30:00Z");
  const owner = await openOffice("owner");
  await owner.call(pairTill, { IdShop: String((await openShop()).shopId) });
  const of = async (Day: string) =>
    (await owner.call(readAudit, { IdStaff: String(owner.id), Action: "pairing_code", Day })).Entries.length;
  expect([await of("2026-07-02"), await of("2026-07-03")]).toEqual([0, 1]);
});

test("the log is filtered by what the record shows of a customer: card, address or number of the account", async () => {
  const [owner, service, member] = [await openOffice("owner"), await openOffice("service"), await addMember()];
  await service.call(customers.endSessions, { IdCustomer: member.id, Reason: "request" });
  for (const Customer of [member.card, member.email.toUpperCase(), String(member.id)]) {
    const { Entries } = await owner.call(readAudit, { Customer });
    expect({ Customer, actions: Entries.map(({ Action }) => Action) }).toEqual({
      Customer,
      actions: ["sessions_ended"],
    });
  }
  for (const Customer of ["2900000000000", "personne@exemple.fr", "x", "0"])
    expect((await owner.call(readAudit, { Customer })).Entries).toEqual([]);
});
