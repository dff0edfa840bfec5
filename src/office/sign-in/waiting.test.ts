import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import * as campaigns from "#office/campaigns/calls.ts";
import * as customers from "#office/customers/calls.ts";
import * as programme from "#office/programme/calls.ts";
import { staffRoles } from "#platform/api/endpoint.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { readSession } from "./calls.ts";

const { addMember, clock, database, openOffice, product } = await openTestOffice();
type Office = Awaited<ReturnType<typeof openOffice>>;
const contract = Object.assign({}, ...product.contracts) as (typeof product.contracts)[number];

const waiting = async (office: Office) => (await office.call(readSession)).Waiting;
const none = { Requests: 0, Campaigns: 0, Drafts: 0, Cases: 0, Moved: 0 };
const owner = await openOffice("owner");
const service = await openOffice("service");
const marketing = await openOffice("marketing");

beforeEach(async () => {
  await database.execute(sql`delete from office_request`);
  await database.execute(sql`update campaign set ended_at = ${clock.now.toISOString()} where ended_at is null`);
  await database.execute(sql`update loyalty_draft set state = 'discarded' where state in ('open', 'asked')`);
});

const askErasure = async (IdCustomer: number, by: Office = service) =>
  (await by.call(customers.eraseCustomer, { IdCustomer, Reason: "request" })).IdRequest;

async function launch(by: Office) {
  const words = { NameFr: "Soldes", NameEn: "Sale", NameDe: "Rabatt", TextFr: "Plus", TextEn: "More", TextDe: "Mehr" };
  const days = { From: clock.now.toISOString().slice(0, 10), To: clock.now.toISOString().slice(0, 10) };
  const { IdCampaign } = await by.call(campaigns.addCampaign, { ...words, ...days, ExtraPoints: "5" });
  return { IdCampaign: String(IdCampaign) };
}

test("requests of others are counted until they are decided, not one's own nor about one's own account", async () => {
  const [one, two] = [await addMember(), await addMember()];
  const IdRequest = await askErasure(one.id);
  await askErasure(two.id, owner);
  expect([await waiting(service), await waiting(owner)]).toEqual([
    { ...none, Requests: 1 },
    { ...none, Requests: 1 },
  ]);
  const third = await openOffice("service");
  expect((await waiting(third)).Requests).toBe(2);
  await database.execute(sql`update staff set own_customer_id = ${two.id} where id = ${third.id}`);
  expect((await waiting(third)).Requests).toBe(1);
  await owner.call(customers.declineRequest, { IdRequest });
  expect([await waiting(owner), await waiting(third)]).toEqual([none, none]);
  // Whose account is gone has nothing to decide, as in the list.
  await database.execute(sql`delete from customer where id = ${two.id}`);
  expect((await waiting(service)).Requests).toBe(0);
  expect((await service.call(customers.listApprovals)).Requests).toEqual([]);
});

test("a merge with one's own account is not one's own to decide", async () => {
  const [survivor, other] = [await addMember(), await addMember()];
  const pair = { IdCustomer: survivor.id, IdOther: other.id, Reason: "request" as const };
  const { IdRequest } = await service.call(customers.mergeCustomers, pair);
  const own = await openOffice("owner");
  await database.execute(sql`update staff set own_customer_id = ${other.id} where id = ${own.id}`);
  expect([(await waiting(own)).Requests, (await waiting(owner)).Requests]).toEqual([0, 1]);
  await owner.call(customers.declineRequest, { IdRequest });
});

test("a campaign that a colleague launched is counted until it is approved, refused, withdrawn or over", async () => {
  const campaign = await launch(marketing);
  expect([await waiting(marketing), await waiting(owner)]).toEqual([none, { ...none, Campaigns: 1 }]);
  await owner.call(campaigns.approveCampaign, campaign);
  expect(await waiting(owner)).toEqual(none);
  const refused = await launch(marketing);
  await owner.call(campaigns.endCampaign, refused);
  expect(await waiting(owner)).toEqual(none);
  await launch(marketing);
  expect((await waiting(owner)).Campaigns).toBe(1);
  const start = clock.now;
  clock.now = new Date(start.getTime() + 36 * 3_600_000);
  expect((await waiting(await openOffice("owner"))).Campaigns).toBe(0);
  clock.now = start;
});

test("a draft that a colleague submitted is counted until it is sent back or published", async () => {
  const { Rules } = (await marketing.call(programme.readRules)).Current;
  const draft = { Revision: "0", Label: "Printemps", Rules: JSON.stringify(Rules) };
  const Revision = String((await marketing.call(programme.saveDraft, draft)).Revision);
  expect(await waiting(owner)).toEqual(none);
  const StartsAt = new Date(clock.now.getTime() + 3_600_000).toISOString();
  await marketing.call(programme.askToPublish, { Revision, StartsAt });
  expect([await waiting(marketing), await waiting(owner)]).toEqual([none, { ...none, Drafts: 1 }]);
  await owner.call(programme.sendBack, { Revision });
  expect(await waiting(owner)).toEqual(none);
  await marketing.call(programme.askToPublish, { Revision, StartsAt });
  await owner.call(programme.publish, { Revision, StartsAt });
  expect(await waiting(owner)).toEqual(none);
});

test("each role is told of what it may decide, as the contract says; more than a hundred are not counted", async () => {
  const { id } = await addMember();
  await database.execute(sql`
    insert into office_request (customer_id, kind, state, reason, asked_by, asked_at)
    select ${id}, 'erase', 'waiting', 'other', ${service.id}, ${clock.now.toISOString()} from generate_series(1, 120)`);
  await launch(marketing);
  const { Rules } = (await marketing.call(programme.readRules)).Current;
  const draft = { Revision: "0", Label: "Automne", Rules: JSON.stringify(Rules) };
  const Revision = String((await marketing.call(programme.saveDraft, draft)).Revision);
  const StartsAt = new Date(clock.now.getTime() + 7_200_000).toISOString();
  await marketing.call(programme.askToPublish, { Revision, StartsAt });
  const may = (line: string, role: (typeof staffRoles)[number]) => contract[line]?.roles?.includes(role);
  for (const role of staffRoles)
    expect({ role, ...(await waiting(await openOffice(role))) }).toEqual({
      role,
      Requests: may(customers.approveRequest, role) ? 100 : 0,
      Campaigns: may(campaigns.approveCampaign, role) ? 1 : 0,
      Drafts: may(programme.publish, role) ? 1 : 0,
      Cases: 0,
      Moved: 0,
    });
});
