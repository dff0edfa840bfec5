import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { endPerson } from "#office/team/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { emailsTo, mailedToken } from "#testing/people.server.ts";
import { signIn } from "#till/calls.ts";
import * as calls from "./calls.ts";

const { clock, database, openBrowser, openOffice, openShop, pairTill } = await openTestOffice();
const { shopId } = await openShop();
const manager = await openOffice("shop", shopId);
const owner = await openOffice("owner");
const till = await pairTill(shopId);
const phone = openBrowser();
const expired = { code: "link_expired" };

async function add(Email = `${randomUUID()}@cercle.example`) {
  const names = { Firstname: "Ines", Lastname: "Roy" };
  const answer = await manager.call(calls.addPerson, { IdShop: String(shopId), ...names, Email });
  return { answer, IdStaff: String(answer.IdStaff), Email };
}
const choose = (Token: string, Pin: string, Repeated = Pin) =>
  phone.call(calls.choosePin, { Token, Pin, ConfirmPin: Repeated });
const enter = (IdStaff: string, Pin: string) => till.call(signIn, { IdStaff: Number(IdStaff), Pin });
const fieldsOf = (call: Promise<unknown>) =>
  call.catch(({ problem }) => problem.errors?.map(({ field, code }: Record<string, string>) => `${field} ${code}`));

test("the owner of a mailed link chooses the first PIN, once; the person who adds them sees none", async () => {
  const { answer, IdStaff, Email } = await add();
  expect(answer).toEqual({ IdStaff: Number(IdStaff) });
  expect((await emailsTo(database, Email)).map(({ content: email }) => email.text).join()).not.toMatch(/\b\d{6}\b/);
  expect(await refusalOf(enter(IdStaff, "482915"))).toMatchObject({ code: "wrong_pin" });
  const Token = await mailedToken(database, Email, "/office/pin");
  expect(await phone.call(calls.validatePinLink, { Token })).toEqual({ Firstname: "Ines", Email });
  expect(await choose(Token, "482915")).toEqual({});
  expect(await enter(IdStaff, "482915")).toMatchObject({ Name: "Ines R." });
  expect(await refusalOf(choose(Token, "739158"))).toMatchObject(expired);
  expect(await refusalOf(phone.call(calls.validatePinLink, { Token }))).toMatchObject(expired);
  const { rows } = await database.execute(sql`
    select action, made_by from audit_log where staff_id = ${IdStaff}::integer and action = 'staff_pin_chosen'`);
  expect(rows).toEqual([{ action: "staff_pin_chosen", made_by: "staff" }]);
});

test("a PIN that anybody would guess, or that was typed otherwise the second time, is refused and the link stays", async () => {
  const { IdStaff, Email } = await add();
  const Token = await mailedToken(database, Email, "/office/pin");
  for (const easy of ["111111", "123456", "654321", "121212", "198501"])
    expect(await fieldsOf(choose(Token, easy))).toEqual(["Pin pin_easy"]);
  for (const wrong of ["12345", "12a456"]) expect(await fieldsOf(choose(Token, wrong))).toContain("Pin invalid");
  expect(await fieldsOf(choose(Token, "482915", "482916"))).toEqual(["ConfirmPin pin_mismatch"]);
  await choose(Token, "482915");
  await enter(IdStaff, "482915");
});

test("a new PIN ends the old one at once; of two links the newer works, for a day, and for nobody who has ended", async () => {
  const { IdStaff, Email } = await add();
  await choose(await mailedToken(database, Email, "/office/pin"), "482915");
  await enter(IdStaff, "482915");
  expect(await manager.call(calls.renewPin, { IdStaff })).toEqual({});
  expect(await refusalOf(enter(IdStaff, "482915"))).toMatchObject({ code: "wrong_pin" });
  const first = await mailedToken(database, Email, "/office/pin");
  await owner.call(calls.renewPin, { IdStaff });
  expect(await refusalOf(choose(first, "739158"))).toMatchObject(expired);
  const second = await mailedToken(database, Email, "/office/pin");
  const start = clock.now;
  clock.now = new Date(start.getTime() + 25 * 3_600_000);
  expect(await refusalOf(choose(second, "739158"))).toMatchObject(expired);
  clock.now = start;
  await owner.call(endPerson, { IdStaff });
  expect(await refusalOf(choose(second, "739158"))).toMatchObject(expired);
});

test("one mailbox is one colleague: another spelling of an address that is known is refused", async () => {
  const mailbox = randomUUID();
  await add(`${mailbox}@cercle.example`);
  expect(await refusalOf(add(`${mailbox}+2@cercle.example`))).toMatchObject({ code: "email_taken" });
});
