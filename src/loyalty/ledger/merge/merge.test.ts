import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openTestShop } from "#testing/shop.server.ts";
import { mergeAccounts } from "./merge.server.ts";

const { addMember, clock, database, settings } = await openTestShop();

test("a voucher that cannot be issued again ends the merge instead of trying for ever", async () => {
  const [survivor, other] = [await addMember(), await addMember(300)];
  await other.obtain();
  const context = { now: clock.now, locale: "fr" as const, publicUrl: settings.publicUrl.origin };
  const merged = database.transaction(async (tx) => {
    await tx.execute(sql`
      create or replace function loyalty_merge_voucher(
        the_old_code text, the_code text, the_survivor bigint, moment timestamptz,
        out outcome text, out voucher_id bigint, out amount_cents integer, out expires_at timestamptz
      ) language sql as $$ select 'another', null::bigint, null::integer, null::timestamptz $$`);
    return mergeAccounts(tx, { otherId: other.id, survivorId: survivor.id }, context);
  });
  await expect(merged).rejects.toThrow("made no voucher");
  expect((await other.points()).Available).toBe(300);
});
