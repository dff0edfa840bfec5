import { expect, test } from "vitest";
import { adjustPoints, readTimeline } from "#office/customers/calls.ts";
import * as calls from "#office/receipts/calls.ts";
import { decidePoints } from "#office/shops/calls.ts";
import { amendPurchase } from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { missingNumbers } from "./missing-numbers.ts";

const { addMember, clock, database, openOffice, openShop, openWebShop } = await openTestOffice();
const service = await openOffice("service");
const owner = await openOffice("owner");
const today = new Intl.DateTimeFormat("sv", { timeZone: "Europe/Paris" }).format(clock.now);

const Lines = [
  { Line: "1", Amount: "80.00" },
  { Line: "2", Amount: "30.00" },
  { Line: "3", Amount: "25.00", Earns: false },
];

test("a receipt explains its points, and says of each line what its return takes; the return then takes that", async () => {
  const shop = await openShop("Cercle Bellecour");
  const member = await addMember(250);
  const VoucherCodes = await member.obtain();
  await shop.sell({ ReceiptNumber: "B-0001", CardNumber: member.card, Lines, VoucherCodes });
  const read = () => service.call(calls.readReceipt, { IdShop: String(shop.shopId), ReceiptNumber: "B-0001" });
  const found = await read();
  expect(found).toMatchObject({
    ...{ ShopName: "Cercle Bellecour", Voided: false, Attachable: false },
    Customer: { IdCustomer: member.id, Name: "Camille Laurent" },
    Total: { Price: "135.00", VoucherShare: "10.00", Paid: "125.00" },
    Vouchers: [{ Value: "10.00", Taken: "10.00" }],
    Points: { Paid: "100.00", PointsPerEuro: 1, Multiplier: 1, Total: 100, Taken: 0 },
  });
  // A code is money: its last characters are shown.
  expect(JSON.stringify(found)).not.toContain(VoucherCodes);
  const [first] = found.IfReturned;
  const everything = found.IfReturned.at(-1);
  expect(everything).toMatchObject({ Line: null, Refund: "125.00", Points: 100, Left: 0, VoucherReturns: true });
  const back = await shop.takeBack("B-0001", [{ Line: "1" }]);
  expect(back.Points?.Taken).toBe(first?.Points);
  const after = await read();
  expect(after.Points?.Taken).toBe(first?.Points);
  expect(after.Returns).toMatchObject([{ Kind: "return", Amount: first?.Refund, Points: first?.Points }]);
  expect(after.IfReturned.at(-1)).toMatchObject({ Points: (everything?.Points ?? 0) - (first?.Points ?? 0), Left: 0 });
});

test("a receipt says the price type and the categories of each line, a category that is gone by its code", async () => {
  const shop = await openShop();
  const Lines = [
    { Line: "1", Amount: "60.00", PriceType: "sale" as const, Codes: ["archive", "gone"] },
    { Line: "2", Amount: "40.00" },
  ];
  await shop.sell({ ReceiptNumber: "P-1", Lines });
  const receipt = await service.call(calls.readReceipt, { IdShop: String(shop.shopId), ReceiptNumber: "P-1" });
  expect(receipt.Lines).toMatchObject([
    { PriceType: "sale", Codes: ["Archives", "gone"] },
    { PriceType: null, Codes: [] },
  ]);
});

test("who works in a shop reads the receipts of that shop, with names as a till shows them", async () => {
  const shop = await openShop();
  const member = await addMember();
  await shop.sell({ ReceiptNumber: "S-1", CardNumber: member.card, Amount: "20.00" });
  const [own, elsewhere] = [await openOffice("shop", shop.shopId), await openOffice("shop")];
  const receipt = { IdShop: String(shop.shopId), ReceiptNumber: "S-1" };
  expect((await own.call(calls.readReceipt, receipt)).Customer).toMatchObject({ IdCustomer: null, Name: "Camille L." });
  expect(await refusalOf(elsewhere.call(calls.readReceipt, receipt))).toMatchObject({ code: "forbidden" });
  expect((await elsewhere.call(calls.findReceipts, { Search: "S-1" })).Receipts).toEqual([]);
});

test("the receipts of a day add up per till and person; a voided sale is apart; a number that is missing is named", async () => {
  const shop = await openShop();
  const member = await addMember();
  await shop.sell({ ReceiptNumber: "L2-004831", CardNumber: member.card, Amount: "100.00" });
  await shop.sell({ ReceiptNumber: "L2-004832", Amount: "50.00" });
  await shop.sell({ ReceiptNumber: "L2-004834", CardNumber: member.card, Amount: "10.00" });
  await shop.takeBack("L2-004831", undefined, { ReceiptNumber: "L2-004835", Amount: "40.00" });
  await shop.call("POST shop/void", { ReceiptNumber: "L2-004832" });
  const day = await owner.call(calls.listReceipts, { IdShop: String(shop.shopId), Day: today });
  expect(day.Total).toMatchObject({ Sales: 2, Returns: 1, Voids: 1, Net: "70.00", Voided: "50.00", WithCard: 2 });
  expect(day.Tills).toMatchObject([{ Sales: 2, Returns: 1, Voids: 1, Net: "70.00" }]);
  expect(day.Sellers.map(({ Net }) => Net)).toEqual(["70.00"]);
  expect(day.Missing).toEqual(["L2-004833"]);
  expect(day.Receipts.find(({ VoidedAt }) => VoidedAt)?.ReceiptNumber).toBe("L2-004832");
});

test("numbers of other sequences, and large jumps, are no gap", () => {
  expect(missingNumbers(["A-8", "A-11", "B-009", "B-010", "Z", "7"])).toEqual([]);
  expect(missingNumbers(["A-11", "A-14", "B-099"])).toEqual(["A-12", "A-13"]);
  expect(missingNumbers(["A-100", "A-900"])).toEqual([]);
});

test("a receipt is found by its number in any case, and by its code", async () => {
  const shop = await openShop();
  const { ClaimCode } = await shop.sell({ ReceiptNumber: "Q-77", Amount: "20.00" });
  for (const Search of ["q-77", ClaimCode ?? ""])
    expect((await service.call(calls.findReceipts, { Search })).Receipts).toMatchObject([
      { IdShop: shop.shopId, ReceiptNumber: "Q-77", Amount: "20.00" },
    ]);
});

test("a receipt without a customer is attached once, and earns what a claim earns", async () => {
  const shop = await openShop();
  const [member, other] = [await addMember(), await addMember()];
  await shop.sell({ ReceiptNumber: "N-1", Amount: "42.00" });
  const receipt = { IdShop: String(shop.shopId), ReceiptNumber: "N-1", Reason: "request" as const };
  const attach = (id: number, by = service) => by.call(calls.attachReceipt, { ...receipt, IdCustomer: id });
  const own = await openOffice("service");
  await database.$client.query("update staff set own_customer_id = $1 where id = $2", [member.id, own.id]);
  expect(await refusalOf(attach(member.id, own))).toMatchObject({ code: "own_card" });
  expect(await attach(member.id)).toEqual({ Earned: 42, Waiting: false });
  expect((await member.points()).Available).toBe(292);
  expect(await refusalOf(attach(other.id))).toMatchObject({ code: "not_found" });
  expect(await refusalOf(attach(member.id))).toMatchObject({ code: "receipt_yours" });
  const found = await service.call(calls.readReceipt, receipt);
  expect(found).toMatchObject({ Attachable: false, Customer: { IdCustomer: member.id } });
  expect(found.Points).toMatchObject({ Paid: "42.00", Base: 42, Total: 42, Taken: 0 });
  const { Entries } = await service.call(readTimeline, { IdCustomer: String(member.id), Show: "sales" });
  expect(Entries).toMatchObject([{ ReceiptNumber: "N-1", Points: 42, Earning: { Points: 42 } }]);
  const day = await owner.call(calls.listReceipts, { IdShop: String(shop.shopId), Day: today });
  expect(day.Receipts).toMatchObject([{ ReceiptNumber: "N-1", Points: 42 }]);
});

test("points of receipts that one person attaches count as given that day; beyond its limits another one releases them", async () => {
  const shop = await openShop();
  const [member, asker] = [await addMember(), await openOffice("owner")];
  const of = (ReceiptNumber: string) => ({ IdShop: String(shop.shopId), ReceiptNumber });
  const attach = async (ReceiptNumber: string, Amount: string) => {
    await shop.sell({ ReceiptNumber, Amount });
    return asker.call(calls.attachReceipt, { ...of(ReceiptNumber), IdCustomer: member.id, Reason: "request" });
  };
  expect(await attach("M-1", "250.00")).toEqual({ Earned: 250, Waiting: false });
  expect(await attach("M-2", "1.00")).toEqual({ Earned: 0, Waiting: true });
  const adjusting = { IdCustomer: member.id, Points: 1, CustomerText: "Un geste", Reason: "gesture" as const };
  expect(await asker.call(adjustPoints, adjusting)).toMatchObject({ Waiting: true });
  expect((await member.points()).Available).toBe(500);
  const release = { ...of("M-2"), Decision: "release" as const, Reason: "Seen" };
  expect(await refusalOf(asker.call(decidePoints, release))).toMatchObject({ code: "second_person" });
  expect(await owner.call(decidePoints, release)).toEqual({ Points: 1 });
  expect((await member.points()).Available).toBe(501);
});

test("who attached an order releases nothing of what was added to it", async () => {
  const web = await openWebShop();
  const [member, asker] = [await addMember(), await openOffice("owner")];
  const lines = (...amounts: string[]) => amounts.map((Amount, n) => ({ Line: String(n + 1), Amount }));
  await web.sell({ ReceiptNumber: "#9", Lines: lines("250.00"), Currency: "EUR" });
  const amended = { ReceiptNumber: "#9", AmendNumber: "1", Currency: "EUR" };
  await web.call(amendPurchase, { ...amended, Lines: JSON.stringify(lines("250.00", "40.00")) });
  const IdShop = String(web.shopId);
  // The order is attached, with what was added to it.
  for (const [ReceiptNumber, Attachable] of [
    ["#9", true],
    ["#9~1", false],
  ] as const)
    expect(await asker.call(calls.readReceipt, { IdShop, ReceiptNumber })).toMatchObject({ Attachable });
  const order = { IdShop, ReceiptNumber: "#9", IdCustomer: member.id, Reason: "request" as const };
  expect(await asker.call(calls.attachReceipt, order)).toMatchObject({ Earned: 250 });
  const release = { IdShop, ReceiptNumber: "#9~1", Decision: "release" as const, Reason: "Seen" };
  expect(await refusalOf(asker.call(decidePoints, release))).toMatchObject({ code: "second_person" });
  expect(await owner.call(decidePoints, release)).toEqual({ Points: 40 });
});

test("an order that was edited waits as soon as a part of it does", async () => {
  const shop = await openWebShop();
  const [member, asker] = [await addMember(), await openOffice("owner")];
  const receipt = { IdShop: String(shop.shopId), ReceiptNumber: "W-1" };
  const line = (Amount: string) => [{ Line: "1", Amount }];
  await shop.sell({ ReceiptNumber: "W-1", Lines: line("250.00"), Currency: "EUR" });
  const Lines = JSON.stringify(line("251.00"));
  await shop.call(amendPurchase, { ReceiptNumber: "W-1", AmendNumber: "1", Lines, Currency: "EUR" });
  const attached = asker.call(calls.attachReceipt, { ...receipt, IdCustomer: member.id, Reason: "request" });
  expect(await attached).toEqual({ Earned: 250, Waiting: true });
});
