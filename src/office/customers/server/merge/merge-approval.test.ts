import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { readLoyalty } from "#loyalty/calls.ts";
import * as calls from "#office/customers/calls.ts";
import * as shopCalls from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestMerge } from "#testing/merge.server.ts";

const { addCustomer, addMember, database, openOffice, openShop, ...people } = await openTestMerge();
const { approve, ask, expectEverything, merge, office, owner, preview, record } = people;

test("the survivor must be a member, neither may be blocked, and no voucher may be held at a till", async () => {
  const shop = await openShop();
  const member = await addMember(300);
  const customer = await addCustomer();
  expect(await refusalOf(merge(customer, member))).toMatchObject({ status: 409, code: "cannot_merge" });
  expect(await refusalOf(merge(member, member))).toMatchObject({ code: "cannot_merge" });
  expect(await refusalOf(merge(member, { id: 99_999_999 }))).toMatchObject({ code: "not_found" });
  const VoucherCodes = await member.obtain();
  await shop.call(shopCalls.holdVouchers, { VoucherCodes, ReceiptNumber: "M-7" });
  const survivor = await addMember();
  expect(await refusalOf(preview(survivor, member))).toMatchObject({ code: "voucher_held" });
  await shop.call(shopCalls.releaseVouchers, { VoucherCodes, ReceiptNumber: "M-7" });
  await office.call(calls.blockCustomer, { IdCustomer: member.id, Reason: "fraud" });
  expect(await refusalOf(merge(survivor, member))).toMatchObject({ code: "cannot_merge" });
  await merge(survivor, customer);
  expect((await survivor.call(readLoyalty)).Points.Available).toBe(250);
});

test("a merge waits for a second person, who sees both accounts; who asked cannot decide, nor whose account it is", async () => {
  const shop = await openShop();
  const own = await openOffice("service");
  const [survivor, other] = [await addMember(), await addMember(400)];
  const { IdRequest } = await ask(survivor, other);
  expect((await other.points()).Available).toBe(650);
  const { Requests } = await owner.call(calls.listApprovals);
  expect(Requests.find((request) => request.IdRequest === IdRequest)).toMatchObject({
    ...{ Kind: "merge", IdCustomer: survivor.id, Mine: false, Note: "Deux fois elle" },
    Other: { IdCustomer: other.id, Email: other.email },
  });
  // Each record names the other.
  for (const [one, two] of [
    [survivor, other],
    [other, survivor],
  ] as const)
    expect((await record(one)).Requests).toMatchObject([{ IdRequest, Kind: "merge", Other: { IdCustomer: two.id } }]);
  const refused = { status: 409, code: "second_person" };
  expect(await refusalOf(approve(office, IdRequest))).toMatchObject(refused);
  for (const { id } of [survivor, other]) {
    await database.execute(sql`update staff set own_customer_id = ${id} where id = ${own.id}`);
    expect(await refusalOf(approve(own, IdRequest))).toMatchObject(refused);
    expect(await refusalOf(own.call(calls.declineRequest, { IdRequest }))).toMatchObject(refused);
  }
  // What was bought meanwhile moves too.
  await shop.sell({ CardNumber: other.card, Amount: "10.00" });
  const both = await Promise.allSettled([approve(owner, IdRequest), approve(await openOffice("owner"), IdRequest)]);
  expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await survivor.points()).Available).toBe(660);
  expect(await refusalOf(approve(owner, IdRequest))).toMatchObject({ code: "already_decided" });
  const { rows } = await database.execute(sql`
    select action, before, after -> 'askedBy' as "askedBy" from audit_log
    where customer_id = ${survivor.id} and action in ('approval_asked', 'customers_merged') order by id`);
  expect(rows).toMatchObject([
    { action: "approval_asked" },
    { action: "customers_merged", before: { other: other.id }, askedBy: office.id },
  ]);
  await expectEverything();
});

test("what can no longer be merged is refused at approval and waits on; declined it has no effect", async () => {
  const [survivor, other] = [await addMember(), await addMember()];
  const decline = (IdRequest: number) => owner.call(calls.declineRequest, { IdRequest });
  const { IdRequest } = await ask(survivor, other);
  for (const [one, two] of [
    [survivor, other],
    [await addMember(), other],
    [other, survivor],
  ] as const)
    expect(await refusalOf(ask(one, two))).toMatchObject({ status: 409, code: "already_asked" });
  await office.call(calls.blockCustomer, { IdCustomer: other.id, Reason: "fraud" });
  expect(await refusalOf(approve(owner, IdRequest))).toMatchObject({ status: 409, code: "cannot_merge" });
  await office.call(calls.unblockCustomer, { IdCustomer: other.id, Reason: "fraud" });
  const erasure = await office.call(calls.eraseCustomer, { IdCustomer: other.id, Reason: "request" });
  expect(await refusalOf(approve(owner, IdRequest))).toMatchObject({ status: 409, code: "already_asked" });
  await approve(owner, erasure.IdRequest);
  expect(await refusalOf(approve(owner, IdRequest))).toMatchObject({ status: 404, code: "not_found" });
  expect((await record(survivor)).Requests).toMatchObject([{ IdRequest, Other: null }]);
  await decline(IdRequest);
  expect(await survivor.points()).toMatchObject({ Available: 250 });

  // Of a survivor that is gone, the other can be merged elsewhere.
  const [gone, kept, third] = [await addMember(), await addMember(), await addMember()];
  await ask(gone, kept);
  const left = await office.call(calls.eraseCustomer, { IdCustomer: gone.id, Reason: "request" });
  await approve(owner, left.IdRequest);
  await merge(third, kept);
});

test("what somebody asked for the other account, an erasure above all, is decided before a merge", async () => {
  const [survivor, other] = [await addMember(), await addMember()];
  const { IdRequest } = await office.call(calls.eraseCustomer, { IdCustomer: other.id, Reason: "request" });
  expect(await refusalOf(merge(survivor, other))).toMatchObject({ status: 409, code: "already_asked" });
  await owner.call(calls.declineRequest, { IdRequest });
  await merge(survivor, other);
});
