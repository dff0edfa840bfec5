import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { obtainReward, subscribe } from "#loyalty/calls.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { openTestClub } from "#testing/club.server.ts";
import { countViolations, invariants } from "./invariants.server.ts";

const { addCustomer, database, clock } = await openTestClub();

/** Each invariant with statements that break it, once triggers are disabled. */
const violations: [number, string][] = [
  [1, "update loyalty_account set balance = balance + 1"],
  [2, "update loyalty_entry set balance = balance + 1 where points < 0"],
  [3, "drop trigger loyalty_entry_stays on loyalty_entry"],
  [3, "alter table loyalty_entry disable trigger loyalty_entry_stays_whole"],
  [
    4,
    "alter table loyalty_entry drop constraint loyalty_entry_customer_id_cause_key; update loyalty_entry set cause = 'x'",
  ],
  [5, "delete from loyalty_welcome"],
  [6, "delete from loyalty_voucher"],
  [6, "update loyalty_voucher set points = points + 1"],
  [7, "delete from loyalty_voucher_code"],
  [7, "alter table loyalty_voucher disable trigger loyalty_voucher_forward"],
  [8, "update loyalty_entry set kind = 'event', label = '{\"event\": 2}' where points > 0"],
  [9, "update loyalty_earned_day set points = points + 1"],
  [9, "update loyalty_earned_day set through = through + 1"],
  [10, "update loyalty_lot set remaining = remaining + 1"],
  [10, "update loyalty_lot set expires_at = expires_at + interval '1 day'"],
  [12, "delete from customer_email"],
  [14, "insert into idempotency_key (customer_id, call, key, body_hash) values (1, 'x', 'x', '')"],
  [20, "delete from webhook_event where type = 'points.earned'"],
  [20, "update webhook_event set payload = '{}'"],
  [21, "delete from metric_delta where metric = 'issued_welcome'"],
  [21, "update metric_delta set amount = amount + 1 where metric = 'spent'"],
  [21, "update metric_delta set day = day + 1 where metric = 'voucher_reward'"],
  [21, "delete from metric_delta where metric = 'outstanding'"],
  [21, "delete from metric_delta where metric = 'joined'"],
  [23, "update loyalty_entry set kind = 'referral', cause = 'referral:1' where cause = 'grant:x'"],
  [
    23,
    `insert into loyalty_referral (customer_id, member_id, person, joined_at, state, credited_at, points, shop_id, receipt_number)
     select 1, min(customer_id), 'x', now(), 'credited', now(), 100, 1, 'x' from loyalty_account`,
  ],
  [21, "insert into loyalty_activity values (1, '2026-10-01', '2099-10-01')"],
];

test.each(violations)("invariant %i detects: %s", async (number, statements) => {
  const { call, id } = await addCustomer();
  await call(subscribe);
  await credit(database, { customerId: id, points: 300, kind: "grant", cause: "grant:x", label: {}, now: clock.now });
  await call(obtainReward, { IdLoyaltyReward: 1 });
  const invariant = invariants.find((one) => one.number === number);
  if (!invariant) throw new Error(`There is no invariant ${number}`);
  expect(await countViolations(database, invariant)).toBe(0);
  const undone = database.transaction(async (tx) => {
    if (!statements.includes("trigger"))
      for (const table of ["loyalty_entry", "loyalty_voucher"])
        await tx.execute(sql.raw(`alter table ${table} disable trigger user`));
    await tx.execute(sql.raw(statements));
    expect(await countViolations(tx, invariant)).toBeGreaterThan(0);
    tx.rollback();
  });
  await expect(undone).rejects.toThrow("Rollback");
});
