import { expect, test } from "vitest";
import { listCampaigns } from "#office/campaigns/calls.ts";
import { listApprovals } from "#office/customers/calls.ts";
import { listConflicts } from "#office/shops/calls.ts";
import { listEndpoints } from "#office/webhooks/calls.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { seedOffice } from "./seed-office.server.ts";
import { seedPeople } from "./seed-people.server.ts";

const { clock, database, openOffice, settings } = await openTestOffice();

test("every screen of the back office has something to look at, and seeding twice adds nothing", async () => {
  const { now } = clock;
  await seedPeople(database, { now, publicUrl: settings.publicUrl.origin, passwordHash: null });
  for (let round = 0; round < 2; round += 1) {
    await seedOffice({ database, settings, now });
    const { call } = await openOffice("owner");
    expect((await call(listApprovals)).Requests).toMatchObject([{ Points: 400 }]);
    expect((await call(listConflicts)).Conflicts).toMatchObject([{ Reason: "return_without_sale" }]);
    expect((await call(listCampaigns)).Campaigns).toMatchObject([{ State: "running" }]);
    expect((await call(listEndpoints)).Endpoints).toHaveLength(1);
  }
});
