import { expect, test } from "vitest";
import { openSession } from "#identity/session/session.server.ts";
import { closeMoved, readMoved, reportMissing } from "#loyalty/calls.ts";
import { openTestClub, refusalOf } from "#testing/club.server.ts";
import { createMoves, lot, person, writePackage } from "#testing/move.server.ts";

const { addCustomer, as, clock, database } = await openTestClub();
const { moveIn, customerOf, countRows } = createMoves(database);
clock.now = new Date("2026-11-18T10:00:00Z");

const voucher = (Code: string) => ({
  ...{ SourceId: "p1", Code, Amount: "10.00", IssuedAt: "2026-10-01T10:00:00Z", ExpiresAt: "2027-12-31T22:59:59Z" },
});
await moveIn(
  writePackage({
    members: [person("p1", { Status: "Soie", StatusUntil: "2027-04-20" }), person("p2")],
    lots: [
      lot("p1", "a", 1_000),
      lot("p1", "b", 250),
      lot("p1", "c", 80, { AvailableAt: "2026-11-24T00:00:00Z", EarnedAt: "2026-11-10T00:00:00Z" }),
    ],
    vouchers: [voucher("PAPER-1"), voucher("PAPER-2")],
    history: [
      { SourceId: "p1", EntryId: "1", At: "2024-05-01T10:00:00Z", Points: 200, Text: "Achat, Lyon" },
      { SourceId: "p1", EntryId: "2", At: "2025-05-01T10:00:00Z", Points: -50, Text: "Retour, Lyon" },
      { SourceId: "p1", EntryId: "3", At: "2026-05-01T10:00:00Z", Points: 1_100, Text: "Achat, Nantes" },
    ],
  }),
);

async function signIn(sourceId: string) {
  const { id = 0 } = (await customerOf(sourceId)) ?? {};
  const { token } = await openSession(database, id, { device: null });
  return { id, call: as(token, { "accept-language": "en" }) };
}
const { id, call } = await signIn("p1");

test("a customer who moved here reads what the old club brought, and its history as it was", async () => {
  const { Moved } = await call(readMoved, { Limit: "2" });
  expect(Moved).toEqual({
    ...{ Points: 1_250, Pending: 80, Vouchers: 2, Tier: { Name: "Silk", Until: "2027-04-20" } },
    ...{ Closed: false, CaseOpen: false, Total: 3 },
    Entries: [
      { Date: "2026-05-01T10:00:00.000Z", Label: "Achat, Nantes", Points: 1_100 },
      { Date: "2025-05-01T10:00:00.000Z", Label: "Retour, Lyon", Points: -50 },
    ],
  });
  expect((await call(readMoved, { Offset: "2" })).Moved?.Entries).toMatchObject([{ Label: "Achat, Lyon" }]);
});

test("what moved stays as it was told, whatever the customer does here", async () => {
  const before = clock.now;
  clock.now = new Date("2026-11-25T10:00:00Z");
  await database.execute(`select loyalty_arrive(${id}, '2026-11-25 10:00Z'::timestamptz)`);
  await database.execute(
    `select loyalty_move(${id}, -30, 'adjust', 'spent', '{}', '2026-11-25 12:00Z', '2026-11-25 12:00Z')`,
  );
  expect((await call(readMoved)).Moved).toMatchObject({ Points: 1_250, Pending: 80, Vouchers: 2 });
  clock.now = before;
});

test("the notice is closed for good, and something that is missing opens one case", async () => {
  const two = await signIn("p2");
  await two.call(closeMoved);
  await two.call(reportMissing, { Text: "My gift card" });
  await two.call(reportMissing, { Text: "and a voucher" });
  expect((await two.call(readMoved)).Moved).toMatchObject({ Closed: true, CaseOpen: true });
  expect(await countRows(`move_case where customer_id = ${two.id} and text = E'My gift card\\nand a voucher'`)).toBe(1);
});

test("a customer who came from nowhere reads nothing and can miss nothing", async () => {
  const other = await addCustomer();
  expect(await other.call(readMoved)).toEqual({ Moved: null });
  expect(await refusalOf(other.call(reportMissing, { Text: "x" }))).toMatchObject({ code: "not_found" });
});
