import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { exportCustomer, readCustomer as readOwn, resetPassword, signInWithEmail } from "#identity/calls.ts";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { openSession } from "#identity/session/session.server.ts";
import * as calls from "#office/customers/calls.ts";
import * as shopCalls from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { emailsTo, mailedToken } from "#testing/people.server.ts";
import * as tillCalls from "#till/calls.ts";

const { addCustomer, addMember, call, clock, database, openOffice, openShop, openTill } = await openTestOffice();
const office = await openOffice("service");
const owner = await openOffice("owner");
const about = ({ id }: { id: number }) => ({ IdCustomer: id, Reason: "request" as const, Note: "Appel du matin" });

async function withPassword(id: number) {
  const passwords = createPasswordHashes({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } });
  await database.execute(
    sql`update customer set password_hash = ${await passwords.hash("tres-secret")} where id = ${id}`,
  );
}

test("a customer who is blocked is signed out, cannot sign in, and tills refuse card and vouchers until they are unblocked", async () => {
  const member = await addMember(300);
  await withPassword(member.id);
  const VoucherCodes = await member.obtain();
  const shop = await openShop();
  const till = await openTill();
  await office.call(calls.blockCustomer, about(member));
  expect(await refusalOf(member.call(readOwn))).toMatchObject({ code: "not_signed_in" });
  const signIn = () => call(signInWithEmail, { Email: member.email, Password: "tres-secret" });
  expect(await refusalOf(signIn())).toMatchObject({ status: 403, code: "customer_blocked" });
  await expect(openSession(database, member.id, { device: null })).rejects.toThrow("customer_blocked");
  const card = { CardNumber: member.card };
  expect(await refusalOf(shop.call(shopCalls.identify, card))).toMatchObject({ status: 409, code: "card_blocked" });
  expect(await refusalOf(till.call(tillCalls.identify, card))).toMatchObject({ status: 409, code: "card_blocked" });
  const hold = { VoucherCodes, ReceiptNumber: "B-1" };
  expect(await refusalOf(shop.call(shopCalls.holdVouchers, hold))).toMatchObject({ code: "card_blocked" });
  expect(await refusalOf(shop.sell({ ...card, Amount: "60.00", VoucherCodes }))).toMatchObject({
    code: "card_blocked",
  });
  // A sale that a till made without a network is kept, as that of an unknown card.
  expect(await shop.sell({ ...card, Amount: "60.00" })).toMatchObject({ Customer: "unknown", Points: { Earned: 0 } });
  expect((await owner.call(calls.readCustomer, { IdCustomer: member.id })).BlockedAt).toBe(clock.now.toISOString());
  await office.call(calls.unblockCustomer, about(member));
  await signIn();
  await shop.sell({ ...card, Amount: "60.00", VoucherCodes });
});

test("a sign-in and a block at the same time leave no session behind", async () => {
  for (let round = 0; round < 5; round += 1) {
    const member = await addMember();
    await withPassword(member.id);
    await Promise.allSettled([
      call(signInWithEmail, { Email: member.email, Password: "tres-secret" }),
      office.call(calls.blockCustomer, about(member)),
      call(signInWithEmail, { Email: member.email, Password: "tres-secret" }),
    ]);
    const { rowCount } = await database.execute(sql`select from session where customer_id = ${member.id}`);
    expect(rowCount).toBe(0);
  }
});

test("sessions end everywhere", async () => {
  const member = await addMember();
  expect(await office.call(calls.endSessions, about(member))).toEqual({ Ended: 1 });
  expect(await refusalOf(member.call(readOwn))).toMatchObject({ code: "not_signed_in" });
});

test("emails are sent again with new links, which end the ones before", async () => {
  const send = (id: number, EmailContent: "confirmation" | "password" | "card" | "voucher", more: object = {}) =>
    office.call(calls.sendEmail, { IdCustomer: id, EmailContent, Reason: "request", ...more });
  const fresh = await addCustomer({ emailVerifiedAt: null });
  await send(fresh.id, "confirmation");
  const first = await mailedToken(database, fresh.email);
  await send(fresh.id, "confirmation");
  expect(await mailedToken(database, fresh.email)).not.toBe(first);
  const member = await addMember(300);
  expect(await refusalOf(send(member.id, "confirmation"))).toMatchObject({ code: "invalid" });
  await send(member.id, "password");
  const Token = await mailedToken(database, member.email);
  await send(member.id, "password");
  const choice = { Password: "autre-secret", ConfirmPassword: "autre-secret" };
  expect(await refusalOf(call(resetPassword, { Token, ...choice }))).toMatchObject({ code: "link_expired" });
  await call(resetPassword, { Token: await mailedToken(database, member.email), ...choice });
  await send(member.id, "card");
  expect(await refusalOf(send((await addCustomer()).id, "card"))).toMatchObject({ code: "no_member" });
  const subjects = (await emailsTo(database, member.email)).map(({ content: email }) => email.subject);
  expect(subjects.filter((subject) => subject?.includes("250 points"))).toHaveLength(2);
});

test("a voucher's email is sent again while it can be used", async () => {
  const member = await addMember(600);
  const code = await member.obtain();
  const { Vouchers } = await office.call(calls.readCustomer, { IdCustomer: member.id });
  const IdCustomerReward = Vouchers[0]?.IdCustomerReward ?? 0;
  const send = (id: number) =>
    office.call(calls.sendEmail, { ...about(member), EmailContent: "voucher", IdCustomerReward: id });
  await send(IdCustomerReward);
  const emails = (await emailsTo(database, member.email)).filter(({ content: email }) => email.text?.includes(code));
  expect(emails).toHaveLength(2);
  expect(await refusalOf(send(99_999))).toMatchObject({ code: "invalid" });
});

test("the export is the customer's own, and the log says who took it and why", async () => {
  const member = await addMember();
  const exported = await office.call(calls.exportCustomer, about(member));
  const own = await member.call(exportCustomer);
  expect(Object.keys(exported).sort()).toEqual(Object.keys(own).sort());
  expect(JSON.stringify(own)).toContain("customer_exported");
  expect(await refusalOf(office.call(calls.exportCustomer, about({ id: 99_999_999 })))).toMatchObject({
    code: "not_found",
  });
});

test("record, timeline and export show the end of a voucher's code, never the code", async () => {
  const member = await addMember(600);
  const code = await member.obtain();
  const till = await openShop();
  await till.sell({ CardNumber: member.card, Amount: "20.00", VoucherCodes: await member.obtain() });
  const asked = { IdCustomer: member.id };
  const shown = [
    await office.call(calls.readCustomer, asked),
    await office.call(calls.readTimeline, asked),
    await office.call(calls.exportCustomer, about(member)),
  ];
  const own = JSON.stringify(await member.call(exportCustomer));
  for (const response of shown) {
    expect(JSON.stringify(response)).toContain(`••••••••${code.slice(-4)}`);
    for (const { rows } of [await database.execute<{ code: string }>(sql`select code from loyalty_voucher_code`)])
      for (const { code } of rows) expect(JSON.stringify(response)).not.toContain(code);
  }
  expect(own).toContain(code);
});

test("an erasure waits for a second person, then nothing of the customer is left but the log without its words", async () => {
  const member = await addMember();
  const { IdRequest } = await office.call(calls.eraseCustomer, { ...about(member), Note: "Mot très personnel" });
  await member.call(readOwn);
  expect(await refusalOf(office.call(calls.eraseCustomer, about(member)))).toMatchObject({ code: "already_asked" });
  expect(await refusalOf(office.call(calls.approveRequest, { IdRequest }))).toMatchObject({ code: "second_person" });
  await owner.call(calls.approveRequest, { IdRequest });
  expect(await refusalOf(member.call(readOwn))).toMatchObject({ code: "not_signed_in" });
  expect(await refusalOf(owner.call(calls.readCustomer, { IdCustomer: member.id }))).toMatchObject({
    code: "not_found",
  });
  const { rows } = await database.execute<{ action: string }>(
    sql`select action from audit_log where customer_id = ${member.id} order by id`,
  );
  expect(rows.map(({ action }) => action)).toEqual(["approval_asked", "request_approved"]);
  const { rows: asked } = await database.execute(
    sql`select note, state from office_request where customer_id = ${member.id}`,
  );
  expect(asked).toEqual([{ note: null, state: "approved" }]);
  expect((await emailsTo(database, member.email)).at(-1)?.customerId).toBeUndefined();
});

test("emails that many colleagues send at once do not wait for each other's connections", async () => {
  const limited = await openTestOffice({ RATE_LIMITS: "on" });
  const offices = await Promise.all(Array.from({ length: 4 }, () => limited.openOffice("service")));
  const members = await Promise.all(Array.from({ length: 16 }, () => limited.addMember()));
  const send = (id: number, by = 0) =>
    refusalOf((offices[by] ?? office).call(calls.sendEmail, { ...about({ id }), EmailContent: "card" }));
  const sent = await Promise.all(members.map(({ id }, n) => send(id, n % 4)));
  expect(sent.map(({ status }) => status)).toEqual(members.map(() => undefined));
  // Five an hour to one address, at once or one after the other.
  const [first = { id: 0 }] = members;
  const more = await Promise.all(Array.from({ length: 10 }, (_, n) => send(first.id, n % 4)));
  expect(more.filter(({ code }) => code === "too_many")).toHaveLength(6);
  limited.clock.now = new Date(limited.clock.now.getTime() + 25 * 60_000);
  expect(await send(first.id)).toMatchObject({ code: "too_many" });
  limited.clock.now = new Date(limited.clock.now.getTime() + 35 * 60_000);
  const next = await limited.openOffice("service");
  await next.call(calls.sendEmail, { ...about(first), EmailContent: "card" });
});
