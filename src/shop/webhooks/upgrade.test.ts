import { expect, test } from "vitest";
import { invariants } from "#loyalty/ledger/invariants.server.ts";
import { migrate, migrations } from "#platform/database/migrate.server.ts";
import { withEmptyDatabase } from "#testing/database.server.ts";
import seed from "../../../db/programme.json";

test("members from before are told only what changes from now on, and nothing of theirs counts as missing", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    await migrate(
      url,
      migrations.filter(({ name }) => name < "0019"),
    );
    const client = await connect();
    // As the release of that time filled it.
    await client.query("insert into loyalty_programme (id, welcome_points) values ($1, $2)", [seed.id, 250]);
    for (const { id, rank, pointsRequired, name, benefits } of seed.tiers)
      await client.query(
        "insert into loyalty_tier (programme_id, id, rank, points_required, name, benefits) values ($1, $2, $3, $4, $5, $6)",
        [seed.id, id, rank, pointsRequired, name, benefits],
      );
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
