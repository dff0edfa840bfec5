import { type SQL, sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import type { Segment } from "#loyalty/segments/segment.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { countSegment } from "./segments.server.ts";

const { clock, database } = await openTestOffice();

const withoutTriggers = (statement: SQL) =>
  database.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(statement);
  });

/** Members of long ago, who speak French and have agreed to nothing, and then Germans, who have agreed to emails. */
const addMembers = (french: number, german: number) =>
  withoutTriggers(sql`
      with added as (
        insert into customer (email, firstname, lastname, language, newsletter, email_verified_at)
        select 'm' || n || '@exemple.fr', 'Ada', 'Morel', case when n <= ${french} then 'fr' else 'de' end, n > ${french}, now()
        from generate_series(1, ${french + german}::integer) n order by n returning id)
      insert into loyalty_account (customer_id, programme_id, state, member_since, card_number, balance)
      select id, 4, 'active', now(), '29' || lpad(id::text, 11, '0'), 0 from added`);

// Without a ledger: they would not pass its checks.
afterEach(() => withoutTriggers(sql`delete from loyalty_account`));

test("up to a number members are counted; more are estimated, also how many may be written to, and it is said", async () => {
  const [french, german] = [10_000, 3_000];
  await addMembers(french, german);
  const count = (definition: Segment) => countSegment(database, definition, clock.now, french);
  expect(await count({ fact: "language", in: ["fr"] })).toMatchObject({
    ...{ Members: french, Estimated: false },
    Email: { Reachable: 0, NoConsent: french },
  });
  // The planner knows nothing about what was bought, and those who may be written to are the last rows.
  const { Members, Estimated, Email } = await count({ fact: "purchases", max: 0 });
  expect(Estimated).toBe(true);
  const within = (counted: number, real: number) => expect(Math.abs(counted / real - 1)).toBeLessThan(0.1);
  within(Members, french + german);
  within(Email.Reachable, german);
  within(Email.NoConsent, french);
});
