import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { amendPurchase } from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestTill } from "#testing/till.server.ts";
import * as calls from "#till/calls.ts";

const { addMember, clock, database, emails, openTill, openWebShop } = await openTestTill();

test("a customer gets the receipt by email in their own language, once a minute", async () => {
  const till = await openTill();
  const member = await addMember(300);
  await database.execute(sql`update customer set language = 'de' where id = ${member.id}`);
  const ReceiptNumber = till.newNumber();
  const VoucherCodes = await member.obtain();
  await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "50.00", VoucherCodes });
  const send = () => till.call(calls.emailReceipt, { ReceiptNumber });
  const received = async () => (await emails(member.email)).filter(({ subject }) => subject?.includes(ReceiptNumber));
  await send();
  await send();
  const [email, ...more] = await received();
  expect(more).toEqual([]);
  expect(email?.subject).toContain("Ihr Kassenbon");
  for (const words of ["50,00", "-10,00", "40,00"]) expect(email?.plainText?.replace("−", "-")).toContain(words);
  clock.now = new Date(clock.now.getTime() + 60_000);
  await send();
  expect(await received()).toHaveLength(2);
});

test("only a sale of today of this till, of a customer whose address is confirmed", async () => {
  const till = await openTill();
  const member = await addMember();
  const sell = async (fields: object) => {
    const ReceiptNumber = till.newNumber();
    await till.sell({ ReceiptNumber, Amount: "50.00", ...fields });
    return ReceiptNumber;
  };
  const sale = await sell({ CardNumber: member.card });
  const refused = async (at: typeof till, ReceiptNumber: string) =>
    (await refusalOf(at.call(calls.emailReceipt, { ReceiptNumber }))).code;
  expect(await refused(till, await sell({}))).toBe("receipt_not_found");
  expect(await refused(await openTill(till.shopId), sale)).toBe("receipt_not_found");
  await database.execute(sql`update customer set email_verified_at = null where id = ${member.id}`);
  expect(await refused(till, sale)).toBe("email_unconfirmed");
  await database.execute(sql`update customer set email_verified_at = now() where id = ${member.id}`);
  const voided = await sell({ CardNumber: member.card });
  await till.call(calls.voidSale, { ReceiptNumber: voided });
  expect(await refused(till, voided)).toBe("receipt_not_found");
  clock.now = new Date(clock.now.getTime() + 24 * 3_600_000);
  await till.call(calls.signIn, { IdStaff: till.person.id, Pin: till.person.pin });
  expect(await refused(till, sale)).toBe("receipt_not_found");
});

test("of an exchange the email says all that was given back, of an order that was edited too", async () => {
  const [till, web, member] = [await openTill(), await openWebShop(), await addMember()];
  const lines = (Amount: string) => [{ Line: "1", Amount }];
  await web.sell({ ReceiptNumber: "#5", CardNumber: member.card, Lines: lines("20.00"), Currency: "EUR" });
  const edited = { ReceiptNumber: "#5", AmendNumber: "1", Lines: JSON.stringify(lines("35.00")), Currency: "EUR" };
  await web.call(amendPurchase, edited);
  const ReceiptNumber = till.newNumber();
  const order = { OriginalIdShop: web.shopId, OriginalReceiptNumber: "#5" };
  const proof = { CardNumber: member.card, EntryMode: "scanned" };
  const ReturnOf = JSON.stringify({ ...order, ...proof, Lines: [{ Line: "1" }] });
  await till.sell({ ReceiptNumber, CardNumber: member.card, Amount: "50.00", ReturnOf });
  await till.call(calls.emailReceipt, { ReceiptNumber });
  const [email] = (await emails(member.email)).filter(({ subject }) => subject?.includes(ReceiptNumber));
  for (const words of ["-35,00", "15,00"]) expect(email?.plainText?.replace("−", "-")).toContain(words);
});
