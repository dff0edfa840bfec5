import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { textsOf } from "#brand/texts.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { entryKinds } from "./ledger.tables.server.ts";

const { database } = await openTestProduct();

/** Whether the table's own checks let an entry pass, as PostgreSQL evaluates them. */
async function isAllowed(kind: string, points: number, expires: boolean): Promise<boolean> {
  const { rows: checks } = await database.execute<{ check: string }>(sql`
    select pg_get_expr(conbin, conrelid) as check from pg_constraint
    where conrelid = 'loyalty_entry'::regclass and contype = 'c'`);
  expect(checks.length).toBeGreaterThanOrEqual(3);
  const all = sql.raw(checks.map(({ check }) => `(${check})`).join(" and "));
  const { rows } = await database.execute<{ allowed: boolean }>(sql`
    select ${all} as allowed from (values (${kind}::text, ${points}::integer, 0,
      case when ${expires} then now() end)) entry (kind, points, balance, expires_at)`);
  return rows[0]?.allowed ?? false;
}

const signs = [-5, 0, 5];
const credits = ["welcome", "event", "grant", "purchase", "cancel", "undo", "referral"];
const debits = ["reward", "expiry", "return", "settle"];
const withoutCost = ["reissue", "gift", "import_voucher"];
/** Their points go back to the lots they came from, which have their own expiry. */
const givenBack = ["cancel", "undo"];

test.each(entryKinds)(
  "an entry of the kind %s moves points the way it should, and only credits expire",
  async (kind) => {
    const allowed = signs.filter((points) => {
      if (credits.includes(kind)) return points > 0;
      if (debits.includes(kind)) return points < 0;
      return withoutCost.includes(kind) ? points === 0 : points !== 0;
    });
    for (const points of signs)
      for (const expires of [false, true])
        expect({ points, expires, allowed: await isAllowed(kind, points, expires) }).toEqual({
          points,
          expires,
          allowed: allowed.includes(points) && expires === (points > 0 && !givenBack.includes(kind)),
        });
  },
);

test("whatever the release before could write is allowed still", async () => {
  for (const kind of ["welcome", "event", "grant"]) expect(await isAllowed(kind, 5, true)).toBe(true);
  for (const kind of ["reward", "expiry"]) expect(await isAllowed(kind, -5, false)).toBe(true);
});

test("no other kind is allowed, and each has its name in the history", async () => {
  expect(await isAllowed("bonus", 5, true)).toBe(false);
  for (const kind of entryKinds)
    for (const { t } of Object.values(textsOf)) expect(t(`loyalty.history.${kind}`)).not.toBe("");
});
