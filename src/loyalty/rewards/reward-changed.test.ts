import { expect, test } from "vitest";
import { listRewards, obtainReward } from "#loyalty/calls.ts";
import * as office from "#office/customers/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { publishNow } from "#testing/programme.server.ts";

const { addMember, clock, database, openOffice } = await openTestOffice();
const [start, change] = [clock.now, new Date(clock.now.getTime() + 60 * 60_000)];
const dearer = { points: 300, amountCents: 10_000, minimumBasketCents: null };
await publishNow(
  database,
  ({ rewards }) => ({ rewards: rewards.map((reward) => (reward.id === 1 ? { ...reward, ...dearer } : reward)) }),
  { now: start, startsAt: change },
);
const refused = { status: 409, code: "reward_changed" };

test("a reward is obtained for the points and the value that the customer saw, or not at all", async () => {
  clock.now = start;
  const member = await addMember(500);
  const [seen] = (await member.call(listRewards)).Rewards;
  if (!seen) throw new Error("There is no reward.");
  const obtain = (what: object) => member.call(obtainReward, { IdLoyaltyReward: "1", ...what });
  const [Points, Value] = [String(seen.Points), seen.Value.Amount];
  await obtain({ Points, Value });
  clock.now = change;
  for (const what of [{ Points, Value }, { Points }, { Value }, { Points: "300", Value: "10.00" }])
    expect(await refusalOf(obtain(what))).toMatchObject(refused);
  expect((await member.points()).Available).toBe(500);
  await obtain({ Points: "300", Value: "100.00" });
  expect((await member.points()).Available).toBe(200);
  for (const wrong of [{ Points: "-1" }, { Value: "10" }])
    expect(await refusalOf(obtain(wrong))).toMatchObject({ code: "invalid" });
});

test("a voucher that waits for a second person is given at the value that was asked for, or not at all", async () => {
  clock.now = start;
  const member = await addMember();
  const service = await openOffice("service");
  const ask = { IdCustomer: member.id, IdLoyaltyReward: 1, Reason: "complaint" } as const;
  await service.call(office.giveVoucher, ask);
  const { Waiting, IdRequest } = await service.call(office.giveVoucher, ask);
  expect(Waiting).toBe(true);
  clock.now = change;
  const owner = await openOffice("owner");
  expect(await refusalOf(owner.call(office.approveRequest, { IdRequest }))).toMatchObject(refused);
  const { Vouchers, Requests } = await owner.call(office.readCustomer, { IdCustomer: member.id });
  expect(Vouchers).toHaveLength(1);
  expect(Requests).toMatchObject([{ IdRequest, Value: { Amount: "10.00" } }]);
  await owner.call(office.declineRequest, { IdRequest });
});
