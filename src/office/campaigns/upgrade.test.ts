import { expect, test } from "vitest";
import { migrate, migrations } from "#platform/database/migrate.server.ts";
import { withEmptyDatabase } from "#testing/database.server.ts";

test("campaigns from before count as approved when they were made, also those that have ended", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    await migrate(
      url,
      migrations.filter(({ name }) => name < "0048"),
    );
    const client = await connect();
    await client.query(`
      insert into staff (email, firstname, lastname, role) values ('m@cercle.example', 'Lou', 'Garnier', 'marketing');
      insert into campaign (name, text, extra_points, starts_at, ends_at, created_at, created_by, ended_at)
      select '{"fr": "A", "en": "A", "de": "A"}', '{"fr": "A", "en": "A", "de": "A"}', 5, at, at + interval '1 day', at, id, ended
      from staff cross join (values (timestamptz '2026-11-01', null), ('2026-11-02', timestamptz '2026-11-02 12:00')) c (at, ended)`);
    await migrate(url);
    const { rows } = await client.query("select approved_at = created_at as same, approved_by from campaign");
    expect(rows).toEqual(Array.from({ length: 2 }, () => ({ same: true, approved_by: null })));
    await expect(client.query("update campaign set approved_at = now()")).rejects.toThrow("approved once");
  });
});
