import { expect, test } from "vitest";
import { openSession } from "#identity/session/session.server.ts";
import { reportMissing } from "#loyalty/calls.ts";
import { readInbox } from "#office/inbox/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { createMoves, lot, person, writePackage } from "#testing/move.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { closeMoveCase, listMoveCases, readMoveCase } from "./calls.ts";

const { as, clock, database, openOffice } = await openTestOffice();
const { move, moveIn, customerOf } = createMoves(database);
clock.now = new Date("2026-11-18T10:00:00Z");

test("a customer who misses something opens a case with the old club's rows beside ours, and a person closes it", async () => {
  const folder = writePackage(
    {
      members: [person("c1", { Status: "Soie", StatusUntil: "2027-04-20" })],
      cards: [{ SourceId: "c1", CardNumber: "CASE-000001" }],
      lots: [lot("c1", "a", 100), lot("c1", "b", 40, { ExpiresAt: "2026-11-01T10:00:00Z" })],
      vouchers: [{ SourceId: "c1", Code: "CASE-VOUCHER-7777", Amount: "10.00", ExpiresAt: "2027-12-31T22:59:59Z" }],
    },
    { totals: { PointsByExpiryMonth: { "2028-01": 100, "2026-11": 40 } } },
  );
  await move("rehearse", folder);
  await moveIn(folder, { acceptRejected: 1 });
  const { id = 0 } = (await customerOf("c1")) ?? {};
  await as((await openSession(database, id, { device: null })).token)(reportMissing, { Text: "40 points" });

  const service = await openOffice("service");
  expect((await service.call(readInbox)).Groups).toMatchObject([{ Kind: "moved", Count: 1 }]);
  const [one] = (await service.call(listMoveCases)).Cases;
  expect(one).toMatchObject({ IdCustomer: id, Text: "40 points" });
  const IdCase = String(one?.IdCase);
  expect(await service.call(readMoveCase, { IdCase })).toMatchObject({
    Records: [{ Source: "old-club", SourceId: "c1", Linked: false }],
    Lots: [{ LotId: "a", Points: 100, Remaining: 100, Pending: false }],
    Vouchers: [{ Code: expect.stringMatching(/^•+7777$/), Amount: { Amount: "10.00" }, Open: true }],
    Cards: expect.arrayContaining(["CASE-000001"]),
    Tier: { Name: "Soie", Until: "2027-04-20" },
    Rejected: [{ File: "lots.csv", Line: 3, Column: "ExpiresAt", Reason: "expired" }],
  });
  await service.call(closeMoveCase, { IdCase });
  expect((await service.call(listMoveCases)).Cases).toEqual([]);
  expect(await refusalOf(service.call(closeMoveCase, { IdCase }))).toMatchObject({ code: "already_decided" });
});
