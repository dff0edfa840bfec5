import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { claimReceipt, unsubscribe } from "#loyalty/calls.ts";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import { countViolations, invariants } from "#loyalty/ledger/invariants/invariants.server.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { approveRequest, mergeCustomers } from "#office/customers/calls.ts";
import { migrations } from "#platform/database/migrations/migrate.server.ts";
import { amendPurchase, voidSale } from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { foldMetrics } from "./metrics.server.ts";

const { addMember, clock, database, openOffice, openShop, openWebShop } = await openTestOffice();
const hooks = clubHooks({ publicUrl: "https://cercle.test", now: () => clock.now });

async function metrics() {
  const { rows } = await database.execute<{ metric: string; part: number; count: number; amount: number }>(sql`
    select metric, part, sum(count)::integer as count, sum(amount)::integer as amount from metric_all
    where metric <> 'outstanding' group by 1, 2 having sum(count) <> 0 or sum(amount) <> 0 order by 1, 2`);
  return rows;
}
const metricOf = async (name: string, ofPart = 0) => {
  const found = (await metrics()).find(({ metric, part }) => metric === name && part === ofPart);
  return { count: found?.count ?? 0, amount: found?.amount ?? 0 };
};
const outstanding = async () => {
  const { rows } = await database.execute<{ points: number }>(
    sql`select sum(amount)::integer as points from metric_all where metric = 'outstanding'`,
  );
  return rows[0]?.points ?? 0;
};
async function expectMetrics() {
  const invariant = invariants.find(({ number }) => number === 21);
  if (!invariant) throw new Error("There is no invariant 21.");
  expect(await countViolations(database, invariant)).toBe(0);
}

test("fifty sales at once, folded meanwhile, are each counted once", async () => {
  const shop = await openShop();
  const members = await Promise.all(Array.from({ length: 10 }, () => addMember()));
  const sales = members.flatMap(({ card }) => Array.from({ length: 5 }, () => card));
  await Promise.all([
    ...sales.map((CardNumber) => shop.sell({ CardNumber, Amount: "10.00" })),
    ...Array.from({ length: 5 }, () => foldMetrics(database)),
  ]);
  await foldMetrics(database);
  expect(await metricOf("sale_named", shop.shopId)).toEqual({ count: 50, amount: 50_000 });
  expect(await metricOf("issued_purchase", shop.shopId)).toEqual({ count: 50, amount: 500 });
  const { rows } = await database.execute(sql`select from metric_delta`);
  expect(rows).toEqual([]);
  await expectMetrics();
});

test("a movement that is not committed yet makes no other wait, and no fold", async () => {
  const [one, other] = [await addMember(), await addMember()];
  const grant = (customerId: number) =>
    ({ customerId, points: 5, kind: "grant", cause: "grant:wait", label: {}, now: clock.now }) as const;
  await database.transaction(async (tx) => {
    await credit(tx, grant(one.id));
    await database.transaction(async (second) => {
      await second.execute(sql`set local lock_timeout = '200ms'`);
      await credit(second, grant(other.id));
    });
    await foldMetrics(database);
  });
  await expectMetrics();
});

test("a claimed receipt moves to those of members; leaving and erasing are counted", async () => {
  const shop = await openShop();
  const member = await addMember();
  const before = {
    left: await metricOf("left"),
    forfeited: await metricOf("forfeited"),
    erased: await metricOf("erased"),
  };
  const { ClaimCode = "" } = await shop.sell({ Amount: "40.00" });
  expect(await metricOf("sale_unnamed", shop.shopId)).toEqual({ count: 1, amount: 4_000 });
  await member.call(claimReceipt, { ClaimCode });
  expect(await metricOf("sale_unnamed", shop.shopId)).toEqual({ count: 0, amount: 0 });
  expect(await metricOf("sale_named", shop.shopId)).toEqual({ count: 1, amount: 4_000 });
  await expectMetrics();
  await member.call(unsubscribe);
  expect(await metricOf("left")).toEqual({ ...before.left, count: before.left.count + 1 });
  const owed = await outstanding();
  await database.transaction((tx) => hooks.erase(tx, member.id));
  // No one can spend them any more.
  expect(await outstanding()).toBe(owed - 290);
  expect(await metricOf("forfeited")).toEqual({
    count: before.forfeited.count + 1,
    amount: before.forfeited.amount + 290,
  });
  // Who had left before is no member who was erased.
  expect(await metricOf("erased")).toEqual(before.erased);
  await expectMetrics();
});

test("a sale that was voided counts neither as a sale nor as a return, and its points were never issued", async () => {
  const shop = await openShop();
  const member = await addMember();
  const [ReceiptNumber, unnamed] = [shop.newNumber(), shop.newNumber()];
  await shop.sell({ CardNumber: member.card, Amount: "80.00", ReceiptNumber });
  const { ClaimCode = "" } = await shop.sell({ Amount: "70.00", ReceiptNumber: unnamed });
  for (const number of [ReceiptNumber, unnamed]) await shop.call(voidSale, { ReceiptNumber: number });
  await refusalOf(member.call(claimReceipt, { ClaimCode }));
  for (const name of ["sale_named", "sale_unnamed", "issued_purchase", "returned", "taken_back"])
    expect({ name, ...(await metricOf(name, shop.shopId)) }).toEqual({ name, count: 0, amount: 0 });
  await expectMetrics();
});

test("points that an edit of an order took back count for its shop, also those of before they did", async () => {
  const [shop, member] = [await openWebShop(), await addMember()];
  const own = { ReceiptNumber: "#1", Currency: "EUR" };
  await shop.sell({ ...own, CardNumber: member.card, Lines: [{ Line: "1", Amount: "100.00" }] });
  const Lines = JSON.stringify([{ Line: "1", Amount: "60.00" }]);
  await shop.call(amendPurchase, { ...own, AmendNumber: "1", Lines });
  const taken = { count: 1, amount: 40 };
  expect(await metricOf("taken_back", shop.shopId)).toEqual(taken);
  await expectMetrics();
  // As it was counted before.
  const ofNoShop = await metricOf("taken_back");
  await database.execute(sql`
    insert into metric_delta (day, metric, part, count, amount)
    select ${clock.now}::date, 'taken_back', part, sign, sign * 40 from (values (${shop.shopId}::integer, -1), (0, 1)) was (part, sign)`);
  const migration = migrations.find(({ name }) => name === "0003_metrics_of_edited_orders")?.statements ?? "";
  await database.transaction(async (tx) => tx.execute(sql.raw(migration)));
  expect(await metricOf("taken_back", shop.shopId)).toEqual(taken);
  expect(await metricOf("taken_back")).toEqual(ofNoShop);
  await expectMetrics();
});

test("a merge counts nothing twice: only the second welcome gift is taken back", async () => {
  const shop = await openShop();
  const [survivor, other] = [await addMember(), await addMember(400)];
  await shop.sell({ CardNumber: other.card, Amount: "90.00" });
  await shop.sell({ CardNumber: survivor.card, Amount: "30.00" });
  await other.obtain();
  const before = await metrics();
  const owed = await outstanding();
  const pair = { IdCustomer: survivor.id, IdOther: other.id };
  const { IdRequest } = await (await openOffice("service")).call(mergeCustomers, { ...pair, Reason: "request" });
  await (await openOffice("owner")).call(approveRequest, { IdRequest });
  const sumOf = (rows: typeof before, ...names: string[]) =>
    rows.filter(({ metric }) => names.includes(metric)).reduce((sum, { amount }) => sum + amount, 0);
  const after = await metrics();
  for (const name of ["issued_purchase", "issued_grant", "issued_welcome", "issued_adjust", "spent", "corrected"])
    expect({ name, amount: sumOf(after, name) }).toEqual({ name, amount: sumOf(before, name) });
  expect(sumOf(after, "taken_back") - sumOf(before, "taken_back")).toBe(250);
  expect(await outstanding()).toBe(owed - 250);
  const vouchers = ["voucher_reward", "voucher_reissue", "voucher_open"];
  expect(sumOf(after, ...vouchers)).toBe(sumOf(before, ...vouchers));
  await expectMetrics();
});

test("what triggers have counted is what a count of the whole ledger gives", async () => {
  const shop = await openShop();
  const member = await addMember(300);
  const ReceiptNumber = shop.newNumber();
  await shop.sell({ CardNumber: member.card, Amount: "80.00", VoucherCodes: await member.obtain(), ReceiptNumber });
  await shop.takeBack(ReceiptNumber);
  const counted = await metrics();
  await database.execute(sql`select metric_rebuild()`);
  // The days on which a person left and was erased are lost; everything else is there.
  const known = (rows: typeof counted) =>
    rows.filter(({ metric }) => !["joined", "left", "erased", "active"].includes(metric));
  expect(known(await metrics())).toEqual(known(counted));
  await expectMetrics();
});
