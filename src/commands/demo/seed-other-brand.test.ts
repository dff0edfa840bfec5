import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { installFrom, seedItsProgramme } from "#testing/brand.server.ts";

installFrom("examples/brand-nord");
const { openTestOffice } = await import("#testing/office.server.ts");
const { listApprovals } = await import("#office/customers/calls.ts");
const { listConflicts } = await import("#office/shops/calls.ts");
const { listCampaigns } = await import("#office/campaigns/calls.ts");
const { seedOffice } = await import("./seed-office.server.ts");
const { seedPeople } = await import("./seed-people.server.ts");

test("with another brand, too, the back office has something to look at, about its people and in its language", async () => {
  const { clock, database, openOffice, settings } = await openTestOffice();
  await seedItsProgramme(database);
  await seedPeople(database, { now: clock.now, publicUrl: settings.publicUrl.origin, passwordHash: null });
  await seedOffice({ database, settings, now: clock.now });
  const { rows } = await database.execute<{ email: string }>(sql`select email from staff`);
  expect(rows.map(({ email }) => email)).toContain("paul@nordlicht.example");
  expect(rows.filter(({ email }) => !email.endsWith("@nordlicht.example"))).toEqual([]);
  const { call } = await openOffice("owner");
  expect((await call(listApprovals)).Requests).toMatchObject([{ Points: 400, Note: expect.stringContaining("Paket") }]);
  expect((await call(listConflicts)).Conflicts).toMatchObject([{ Reason: "return_without_sale" }]);
  expect((await call(listCampaigns)).Campaigns).toMatchObject([{ State: "running" }]);
});
