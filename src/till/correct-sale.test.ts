import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { refusalOf } from "#testing/club.server.ts";
import { expectInvariants } from "#testing/invariants.server.ts";
import { openTestTill } from "#testing/till.server.ts";
import * as calls from "#till/calls.ts";

const { addMember, clock, database, emails, openTill } = await openTestTill();
const refused = async (call: Promise<unknown>) => (await refusalOf(call)).code;

test("a corrected sale replaces the first: one counts, its points alone stay, and no further email is sent", async () => {
  const till = await openTill();
  const member = await addMember();
  const wrong = till.newNumber();
  await till.sell({ ReceiptNumber: wrong, CardNumber: member.card, Amount: "899.00" });
  const mails = (await emails(member.email)).length;
  const { Member } = await till.call(calls.readReceipt, { ReceiptNumber: wrong });
  const right = {
    ...{ ReceiptNumber: till.newNumber(), ...till.moments(), Amount: "89.90" },
    ...{ CustomerToken: Member?.CustomerToken ?? "", Corrects: wrong },
  };
  const sold = await till.call(calls.postPurchase, right);
  expect(sold.Points.Earned).toBe(89);
  // Sent again it is the same sale.
  expect(await till.call(calls.postPurchase, right)).toEqual(sold);
  expect(await till.call(calls.readDay)).toMatchObject({ Net: "89.90", Sales: 1, Voided: 1 });
  expect(await emails(member.email)).toHaveLength(mails);
  const { rows } = await database.execute<{ action: string }>(sql`
    select action from audit_log where customer_id = ${member.id} and staff_id = ${till.person.id}
      and action in ('purchase', 'void') order by id`);
  expect(rows.map(({ action }) => action)).toEqual(["purchase", "void", "purchase"]);
  await expectInvariants(database);
});

test("two corrections that cross two members do not wait for each other", async () => {
  const tills = [await openTill(), await openTill()] as const;
  const [first, second] = [await addMember(), await addMember()];
  const wrong = tills.map((till) => till.newNumber());
  const sell = (index: 0 | 1, CardNumber: string, more: object) =>
    tills[index].sell({ CardNumber, Amount: "50.00", ...more });
  await sell(0, first.card, { ReceiptNumber: wrong[0] });
  await sell(1, second.card, { ReceiptNumber: wrong[1] });
  const holder = await database.$client.connect();
  let corrected: ReturnType<typeof sell>[] = [];
  try {
    await holder.query("begin");
    await holder.query("select from customer where id in ($1, $2) order by id for update", [first.id, second.id]);
    corrected = [sell(0, second.card, { Corrects: wrong[0] }), sell(1, first.card, { Corrects: wrong[1] })];
    await expect
      .poll(async () => {
        const { rows } = await database.execute(sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
        return rows.length;
      })
      .toBe(2);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  const sold = await Promise.all(corrected);
  expect(sold.map(({ Points }) => Points.Earned)).toEqual([50, 50]);
});

test("where the new sale is refused, the first one stays", async () => {
  const till = await openTill();
  const first = till.newNumber();
  await till.sell({ ReceiptNumber: first, Amount: "50.00" });
  const wrong = { ReceiptNumber: till.newNumber(), Amount: "5.00", VoucherCodes: "BCDFGHJKLMNP", Corrects: first };
  expect(await refused(till.sell(wrong))).toBe("voucher_unknown");
  expect((await till.call(calls.readReceipt, { ReceiptNumber: first })).Voidable).toBe(true);
});

test("a sale that a voucher paid, one of yesterday, a returned and an unknown one are not corrected", async () => {
  const till = await openTill();
  const member = await addMember(250);
  const paid = till.newNumber();
  const VoucherCodes = await member.obtain();
  await till.sell({ ReceiptNumber: paid, CardNumber: member.card, Amount: "50.00", VoucherCodes });
  const correct = (Corrects: string) => refused(till.sell({ Amount: "40.00", Corrects }));
  expect(await correct(paid)).toBe("sale_final");
  expect(await correct(till.newNumber())).toBe("receipt_not_found");
  const returned = till.newNumber();
  await till.sell({ ReceiptNumber: returned, Amount: "50.00" });
  const Amount = "10.00";
  await till.call(calls.postReturn, { ReceiptNumber: till.newNumber(), OriginalReceiptNumber: returned, Amount });
  expect(await correct(returned)).toBe("more_than_bought");
  const old = till.newNumber();
  await till.sell({ ReceiptNumber: old, Amount: "50.00" });
  clock.now = new Date(clock.now.getTime() + 24 * 3_600_000);
  await till.call(calls.signIn, { IdStaff: till.person.id, Pin: till.person.pin });
  expect(await correct(old)).toBe("not_same_day");
});

test("without a receipt the scanned card lists the last receipts of every shop, and proves them", async () => {
  const till = await openTill();
  const elsewhere = await openTill();
  const member = await addMember();
  const [here, there, gone] = [till.newNumber(), elsewhere.newNumber(), till.newNumber()];
  await till.sell({ ReceiptNumber: here, CardNumber: member.card, Amount: "50.00" });
  clock.now = new Date(clock.now.getTime() + 1_000);
  await elsewhere.sell({ ReceiptNumber: there, CardNumber: member.card, Amount: "80.00" });
  await till.sell({ ReceiptNumber: gone, CardNumber: member.card, Amount: "70.00" });
  await till.call(calls.voidSale, { ReceiptNumber: gone });
  const back = { ReceiptNumber: till.newNumber(), OriginalReceiptNumber: here, Amount: "20.00" };
  await till.call(calls.postReturn, back);
  const { Name, Receipts } = await till.call(calls.listReceipts, { CardNumber: member.card });
  expect(Name).toBe("Camille L.");
  expect(Receipts).toMatchObject([
    { ReceiptNumber: there, IdShop: elsewhere.shopId, Paid: "80.00", Left: "80.00" },
    { ReceiptNumber: here, IdShop: till.shopId, Paid: "50.00", Left: "30.00" },
  ]);
  const proof = { CardNumber: member.card, EntryMode: "scanned" } as const;
  const other = { ReceiptNumber: till.newNumber(), OriginalReceiptNumber: there, OriginalIdShop: elsewhere.shopId };
  expect((await till.call(calls.postReturn, { ...other, ...proof })).Refunds).toEqual([{ Line: "1", Amount: "80.00" }]);
  expect(await refused(till.call(calls.listReceipts, { CardNumber: "2900000000000" }))).toBe("not_found");
  const { rowCount } = await database.execute(sql`
    select from shop_look_up where customer_id = ${member.id} and entry_mode = 'scanned' and staff_id = ${till.person.id}`);
  expect(rowCount).toBe(1);
});
