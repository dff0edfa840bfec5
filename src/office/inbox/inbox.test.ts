import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import * as customers from "#office/customers/calls.ts";
import { readSession } from "#office/sign-in/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { readInbox } from "./calls.ts";

const { addMember, addTill, clock, database, openOffice, openShop } = await openTestOffice();
beforeEach(async () => {
  await database.execute(sql`delete from office_request`);
});
const owner = await openOffice("owner");
const service = await openOffice("service");
type Office = typeof owner;

const inbox = async (office: Office) =>
  Object.fromEntries((await office.call(readInbox)).Groups.map(({ Kind, Count }) => [Kind, Count]));
const about = async () => ({ IdCustomer: (await addMember()).id, Reason: "request" }) as const;

test("the inbox counts everything that waits for a person, by kind and role, with since when; the menu has its sum", async () => {
  await service.call(customers.eraseCustomer, await about());
  await service.call(customers.mergeCustomers, { ...(await about()), IdOther: (await addMember()).id });
  await service.call(customers.adjustPoints, { ...(await about()), Points: "900", CustomerText: "Un geste" });
  const { shopId } = await openShop();
  const till = await addTill(shopId);
  await till.takeBack("never-sold");
  await till.sell({ Amount: "10.00", SoldAt: new Date(clock.now.getTime() + 20 * 60_000).toISOString() });
  expect(await inbox(owner)).toEqual({ points: 1, erase: 1, merge: 1, return: 1, clock: 1 });
  expect(await inbox(service)).toEqual({});
  expect((await service.call(readInbox)).Mine).toBe(3);
  expect(await inbox(await openOffice("shop", shopId))).toEqual({ return: 1, clock: 1 });
  expect(await inbox(await openOffice("shop"))).toEqual({});
  expect(await inbox(await openOffice("marketing"))).toEqual({});
  const [oldest] = (await owner.call(readInbox)).Groups;
  expect(oldest?.OldestAt).toBe(clock.now.toISOString());
  expect((await owner.call(readSession)).Waiting).toEqual({ Requests: 3, Campaigns: 0, Drafts: 0, Cases: 2, Moved: 0 });
  const { Requests } = await owner.call(customers.listApprovals, { Kind: "merge" });
  expect(Requests.map(({ Kind }) => Kind)).toEqual(["merge"]);
});

test("the author withdraws a request, no one else does, and no one decides it afterwards", async () => {
  const input = await about();
  const { IdRequest } = await service.call(customers.eraseCustomer, input);
  expect(await refusalOf(owner.call(customers.withdrawRequest, { IdRequest }))).toMatchObject({ code: "forbidden" });
  await service.call(customers.withdrawRequest, { IdRequest });
  for (const decide of [customers.approveRequest, customers.declineRequest] as const)
    expect(await refusalOf(owner.call(decide, { IdRequest }))).toMatchObject({ code: "already_decided" });
  expect(await refusalOf(service.call(customers.withdrawRequest, { IdRequest }))).toMatchObject({
    code: "already_decided",
  });
  const [decided] = (await service.call(customers.listDecided)).Requests;
  expect(decided).toMatchObject({ IdRequest, State: "withdrawn", Mine: true, DecidedBy: "Lou Garnier" });
  // The same may be asked again.
  await service.call(customers.eraseCustomer, input);
});

test("a withdrawn adjustment no longer counts against the limits of the day", async () => {
  const input = await about();
  const free = async () => (await service.call(customers.readCustomer, { IdCustomer: input.IdCustomer })).Free;
  const before = await free();
  const adjustment = { ...input, Points: "600", CustomerText: "Un geste" };
  const { IdRequest, Waiting } = await service.call(customers.adjustPoints, adjustment);
  expect(Waiting).toBe(true);
  expect((await free()).Points).toBe(0);
  await service.call(customers.withdrawRequest, { IdRequest });
  expect(await free()).toEqual(before);
});
