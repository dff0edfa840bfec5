import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { defaultProgrammeId, queryProgramme } from "#loyalty/programme/programme.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { countsFrom, tierFor } from "./status.ts";

const { database } = await openTestProduct();

test("SQL and TypeScript find the same tier for so many points, for fewer than none the lowest", async () => {
  const { rowId, tiers } = await queryProgramme(database, defaultProgrammeId, new Date());
  const around = tiers.flatMap(({ pointsRequired }) => [pointsRequired - 1, pointsRequired, pointsRequired + 1]);
  for (const points of around) {
    const { rows } = await database.execute(sql`select id from loyalty_tier_for(${rowId}, ${points})`);
    expect(rows, `${points}`).toEqual([{ id: tierFor(tiers, points).id }]);
  }
});

test("SQL and TypeScript let the status window begin on the same day, for every day of four years", async () => {
  const { rows } = await database.execute<{ day: string; months: number; first: string }>(sql`
    select day::date::text as day, months, loyalty_counts_from(day::date, months)::text as first
    from generate_series('2027-01-01'::date, '2030-12-31', '1 day') day, unnest(array[1, 6, 12, 18]) months`);
  expect(rows).toHaveLength(1461 * 4);
  expect(rows.filter(({ day, months, first }) => countsFrom(day, months) !== first)).toEqual([]);
});
