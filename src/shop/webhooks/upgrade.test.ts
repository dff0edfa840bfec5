import { expect, test } from "vitest";
import { invariants } from "#loyalty/ledger/invariants.server.ts";
import { seedProgramme } from "#loyalty/programme/programme.server.ts";
import { openDatabase } from "#platform/database/database.server.ts";
import { migrate, migrations } from "#platform/database/migrate.server.ts";
import { withEmptyDatabase } from "#testing/database.server.ts";

test("members from before are told only what changes from now on, and nothing of theirs counts as missing", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    await migrate(
      url,
      migrations.filter(({ name }) => name < "0019"),
    );
    const database = openDatabase(url, { connections: 1 });
    await seedProgramme(database);
    await database.$client.end();
    const client = await connect();
    await client.query(`
      insert into customer (email, firstname, lastname) values ('a@exemple.fr', 'Ada', 'Exemple');
      insert into loyalty_account (customer_id, programme_id, state, member_since, card_number)
      select id, 4, 'active', now(), '2900000000001' from customer;
      select loyalty_credit(id, 1200, 'grant', 'grant:before', '{}', now(), now()) from customer`);
    await migrate(url);
    const invariant = invariants.find(({ number }) => number === 20);
    expect((await client.query(invariant?.violations ?? "")).rows).toEqual([]);
    await client.query(
      "select loyalty_credit(id, 10, 'grant', 'grant:after', '{}', now() + interval '2 days', now()) from customer",
    );
    const { rows } = await client.query("select type, sequence from webhook_event order by id");
    expect(rows).toEqual([{ type: "points.earned", sequence: "1" }]);
    await client.query("delete from webhook_event");
    expect((await client.query(invariant?.violations ?? "")).rows.length).toBe(1);
  });
});
