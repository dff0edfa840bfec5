import { eq, sql, TransactionRollbackError } from "drizzle-orm";
import { expect, test } from "vitest";
import { withdrawNewsletter } from "#identity/calls.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { listCustomerRewards, readHistory, unsubscribe } from "#loyalty/calls.ts";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import { readBook } from "#loyalty/ledger/month-end/book.server.ts";
import * as calls from "#office/campaigns/calls.ts";
import * as customersCalls from "#office/customers/calls.ts";
import type { CallFailed } from "#platform/api/client/client.ts";
import { openTestCampaigns } from "#testing/campaigns.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { expectInvariants } from "#testing/invariants.server.ts";

const { addMember, as, begin, clock, database, fetch, hours, launch, openOffice, openShop, product } =
  await openTestCampaigns();
const voucher = { VoucherAmount: "15.00", VoucherDays: "60" };
const start = async (campaign: number) => product.jobs["office:campaign-starts"]?.({ campaign }, database);
const given = async (campaign: number) =>
  (
    await database.execute<{ id: number; code: string }>(
      sql`select customer_id::integer as id, code from loyalty_voucher where campaign_id = ${campaign} order by 1, id`,
    )
  ).rows;
const agreed = (id: number) =>
  database.execute(sql`update customer set newsletter = true, email_verified_at = now() where id = ${id}`);

test("a voucher is given once to each member it reaches, not to the control group, also if the job is killed or runs twice", async () => {
  for (let n = 0; n < 12; n += 1) await addMember();
  const { IdCampaign, end, read } = await begin({ ...voucher, ControlPercent: "50" });
  let left = 3;
  const killed = new Proxy(database, {
    get(target, name) {
      if (name === "transaction" && left-- < 0) throw new Error("killed");
      return Reflect.get(target, name, target);
    },
  });
  await expect(product.jobs["office:campaign-starts"]?.({ campaign: IdCampaign }, killed)).rejects.toThrow("killed");
  expect(await given(IdCampaign)).toHaveLength(3);
  await Promise.all([start(IdCampaign), start(IdCampaign)]);
  await start(IdCampaign);
  const { rows: reached } = await database.execute<{ id: number }>(sql`
    select customer_id::integer as id from campaign_member where campaign_id = ${IdCampaign} and not control order by 1`);
  expect((await given(IdCampaign)).map(({ id }) => id)).toEqual(reached.map(({ id }) => id));
  const { rows: controls } = await database.execute(
    sql`select from campaign_member where campaign_id = ${IdCampaign} and control`,
  );
  expect(Math.min(reached.length, controls.length)).toBeGreaterThan(0);
  expect(await read()).toMatchObject({ Vouchers: reached.length, Sales: 0, Cents: 0 });
  await end();
  await expectInvariants(database);
});

test("the link in an offer withdraws the consent to offers and nothing else: not when it is opened, but when it is posted", async () => {
  const [member, other] = [await addMember(), await addMember()];
  for (const { id } of [member, other]) await agreed(id);
  await database.execute(
    sql`update customer set newsletter_sms = true, mobile_phone = '+33612345670' where id = ${member.id}`,
  );
  const { IdCampaign, end } = await begin(voucher);
  await start(IdCampaign);
  const { rows } = await database.execute<{ id: number; url: string }>(sql`
    select customer_id::integer as id, unsubscribe_url as url from mail where unsubscribe_url is not null`);
  const url = rows.find(({ id }) => id === member.id)?.url ?? "";
  const agrees = async () =>
    (
      await database.execute<{ newsletter: boolean; newsletter_sms: boolean }>(
        sql`select newsletter, newsletter_sms from customer where id in (${member.id}, ${other.id}) order by id`,
      )
    ).rows.map((row) => [row.newsletter, row.newsletter_sms]);
  // A mail scanner opens it.
  expect((await fetch(url)).status).toBe(200);
  expect(await agrees()).toEqual([
    [true, true],
    [true, false],
  ]);
  // A mail program posts, without a form of ours, and without cookies; later again.
  const post = (to: string) =>
    fetch(to, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });
  for (let again = 0; again < 2; again += 1) {
    const posted = await post(url);
    expect(posted.status).toBe(200);
    expect(await posted.text()).not.toContain(member.email);
  }
  expect(await agrees()).toEqual([
    [false, true],
    [true, false],
  ]);
  const { rows: log } = await database.execute(
    sql`select subject, given from consent where customer_id = ${member.id} and source = 'unsubscribe'`,
  );
  expect(log).toEqual([{ subject: "newsletter", given: false }]);
  // The signature of one customer's link is no other's.
  const signature = new URL(url).searchParams.get("token")?.split(".")[1];
  const forged = as("")(withdrawNewsletter, { Token: `${other.subject}.${signature}` });
  expect((await refusalOf(forged)).code).toBe("link_expired");
  for (const wrong of ["", "?token=", `?token=${signature}`])
    expect((await post(url.replace(/\?.*/, wrong))).status).toBeGreaterThanOrEqual(400);
  expect((await agrees())[1]).toEqual([true, false]);
  await end();
});

test("a limit in money is never exceeded, and whom it leaves out is not compared", async () => {
  for (let n = 0; n < 6; n += 1) await addMember();
  const { IdCampaign, end, read } = await begin({ ...voucher, LimitAmount: "50.00" });
  await Promise.all([start(IdCampaign), start(IdCampaign)]);
  // Members who join a segment later change nothing.
  await start(IdCampaign);
  expect(await given(IdCampaign)).toHaveLength(3);
  expect(await read()).toMatchObject({
    Vouchers: 3,
    VoucherLimit: 3,
    VoucherAmount: { Amount: "15.00" },
    VoucherDays: 60,
  });
  const { rows } = await database.execute(sql`
    select count(*)::integer as members from campaign_member where campaign_id = ${IdCampaign} and not control`);
  expect(rows).toEqual([{ members: 3 }]);
  await end();
});

test("accounts of one mailbox are one person: they get one voucher together", async () => {
  const [unconfirmed = "", ...confirmed] = [
    "anna+1@exemple.fr",
    "anna@exemple.fr",
    "b.o.b@gmail.com",
    "bob+club@googlemail.com",
  ];
  const [first, ...others] = [await addMember(), await addMember(), await addMember(), await addMember()];
  const rename = (id: number, email: string, verifiedAt: Date | null) =>
    database.execute(sql`update customer set email = ${email}, email_verified_at = ${verifiedAt} where id = ${id}`);
  await rename(first.id, unconfirmed, null);
  for (const [index, { id }] of others.entries()) await rename(id, confirmed[index] ?? "", clock.now);
  const { IdCampaign, end } = await begin(voucher);
  await Promise.all([start(IdCampaign), start(IdCampaign)]);
  const holders = (await given(IdCampaign)).map(({ id }) => id);
  expect([first, ...others].map(({ id }) => holders.includes(id))).toEqual([false, true, true, false]);
  await end();
  // Each has had the welcome gift under an address of its own.
  for (const { id, email } of [first, ...others]) await rename(id, email, null);
});

test("an account that was made with an invented address keeps no voucher in a mailbox that has another account", async () => {
  const shop = await openShop();
  const own = await addMember(0, { email: "ines+1@exemple.fr" });
  const invented = await addMember(0, { email: "invented@exemple.fr", emailVerifiedAt: null });
  const { IdCampaign, end } = await begin(voucher);
  await start(IdCampaign);
  const booked = async () => (await readBook(database, `${clock.now.toISOString().slice(0, 7)}-01`)).vouchers;
  const before = await booked();
  await database.transaction(async (tx) => {
    const email = "ines+2@exemple.fr";
    await tx.update(customers).set({ email, emailVerifiedAt: clock.now }).where(eq(customers.id, invented.id));
    const hooks = clubHooks({ publicUrl: "https://cercle.test", now: () => clock.now });
    await hooks.emailChanged(tx, invented.id, "invented@exemple.fr");
  });
  const after = await booked();
  expect(after.closing).toBe(before.closing - 1_500);
  expect(after.movements).toContainEqual({ name: "cancelled", amount: -1_500 });
  const codes = new Map((await given(IdCampaign)).map(({ id, code }) => [id, code]));
  const sold = shop.sell({ Amount: "60.00", VoucherCodes: codes.get(invented.id) ?? "" });
  expect(await refusalOf(sold)).toMatchObject({ code: "voucher_cancelled" });
  const { CustomerRewards } = await invented.call(listCustomerRewards, { LoyaltyRewardState: "available" });
  expect(CustomerRewards).toEqual([]);
  await shop.sell({ Amount: "60.00", VoucherCodes: codes.get(own.id) ?? "" });
  await end();
  await expectInvariants(database);
});

test("a voucher that is cancelled while its month is being closed leaves the book of the month after", async () => {
  await addMember(0, { email: "lise+1@exemple.fr" });
  const invented = await addMember(0, { email: "made-up@exemple.fr", emailVerifiedAt: null });
  const { IdCampaign, end } = await begin(voucher);
  await start(IdCampaign);
  const hooks = clubHooks({ publicUrl: "https://cercle.test", now: () => clock.now });
  const cancelled = database.transaction(async (tx) => {
    // Another machine's clock is ahead: there the month has ended.
    await tx.execute(sql`
      insert into month_end (month, ends_at, drafted_at, book, locked_at)
      select date_trunc('month', ${clock.now}::date)::date, ${hours(1).toISOString()}, ${clock.now}, '{}', ${clock.now}`);
    const email = "lise+2@exemple.fr";
    await tx.update(customers).set({ email, emailVerifiedAt: clock.now }).where(eq(customers.id, invented.id));
    await hooks.emailChanged(tx, invented.id, "made-up@exemple.fr");
    const { rows } = await tx.execute<{ booked: boolean }>(sql`
      select cancelled_at >= ${hours(1).toISOString()} as booked from loyalty_voucher_cancel where customer_id = ${invented.id}`);
    expect(rows).toEqual([{ booked: true }]);
    tx.rollback();
  });
  await expect(cancelled).rejects.toThrow(TransactionRollbackError);
  await end();
});

test("the email is for those who have agreed to offers, in their language; the voucher is in the history of all", async () => {
  const [german, silent] = [await addMember(), await addMember()];
  await agreed(german.id);
  await database.execute(sql`update customer set language = 'de' where id = ${german.id}`);
  const { IdCampaign, end } = await begin(voucher);
  await start(IdCampaign);
  const { rows } = await database.execute<{ id: number; locale: string; subject: string; text: string }>(sql`
    select m.customer_id::integer as id, m.locale, m.subject, m.plain_text as text from mail m
    join loyalty_voucher v on m.cause = 'voucher:' || v.customer_id || ':' || v.id
    where v.campaign_id = ${IdCampaign} and m.customer_id in (${german.id}, ${silent.id})`);
  expect(rows).toMatchObject([{ id: german.id, locale: "de", subject: expect.stringContaining("15") }]);
  const code = (await given(IdCampaign)).find(({ id }) => id === german.id)?.code ?? "";
  for (const words of ["Doppelte Punkte", code, "/de/unsubscribe?token="]) expect(rows[0]?.text).toContain(words);
  for (const member of [german, silent]) {
    const [entry] = (await member.call(readHistory, {})).Entries;
    expect(entry).toMatchObject({ Kind: "gift", Points: 0, Label: "Ventes privées" });
    const { CustomerRewards } = await member.call(listCustomerRewards, {});
    expect(CustomerRewards).toMatchObject([
      { Name: "Ventes privées", Value: { Amount: "15.00" }, LoyaltyRewardState: "available" },
    ]);
  }
  await end();
});

test("it costs what its vouchers take off; one that a return replaces is its voucher too", async () => {
  const shop = await openShop();
  const member = await addMember();
  await agreed(member.id);
  const { IdCampaign, end, read } = await begin({ ...voucher, MinimumAmount: "20.00" });
  await start(IdCampaign);
  const { code } = (await given(IdCampaign)).find(({ id }) => id === member.id) ?? { code: "" };
  const sale = { CardNumber: member.card, VoucherCodes: code };
  expect(await refusalOf(shop.sell({ ...sale, Amount: "19.00" }))).toMatchObject({ code: "basket_too_small" });
  const ReceiptNumber = shop.newNumber();
  await shop.sell({ ...sale, Amount: "40.00", ReceiptNumber });
  expect(await read()).toMatchObject({ Sales: 1, Cents: 1_500, Points: 0 });
  await shop.takeBack(ReceiptNumber);
  expect(await read()).toMatchObject({ Sales: 0, Cents: 0 });
  const again = (await given(IdCampaign)).filter(({ id, code: one }) => id === member.id && one !== code);
  expect(again).toHaveLength(1);
  await shop.sell({ CardNumber: member.card, VoucherCodes: again[0]?.code ?? "", Amount: "30.00" });
  await end();
  clock.now = new Date("2026-04-20T10:00:00Z");
  await product.jobs["office:campaign-measured"]?.({ campaign: IdCampaign }, database);
  const result = await (await openOffice("marketing")).call(calls.readResult, { IdCampaign: String(IdCampaign) });
  expect(result).toMatchObject({ Voucher: true, CostCents: 1_500 });
  await expectInvariants(database);
});

test("a member who has left since gets none, and one that is ended gives no more", async () => {
  const [left, member] = [await addMember(), await addMember()];
  const { IdCampaign, end } = await begin(voucher);
  await database.execute(sql`
    insert into campaign_member values (${left.id}, ${IdCampaign}, false), (${member.id}, ${IdCampaign}, false)`);
  await left.call(unsubscribe);
  await start(IdCampaign);
  expect((await given(IdCampaign)).map(({ id }) => id)).toEqual([member.id]);
  await end();
  const other = await addMember();
  await database.execute(sql`insert into campaign_member values (${other.id}, ${IdCampaign}, false)`);
  await start(IdCampaign);
  expect(await given(IdCampaign)).toHaveLength(1);
});

test("a birthday that was changed since the campaign was launched brings no voucher", async () => {
  const [changed, honest] = [await addMember(), await addMember()];
  await database.execute(sql`update customer set birthday = '1990-03-12' where id = ${honest.id}`);
  const { IdCampaign, approve, end } = await launch({ ...voucher, BirthdayDays: "3" });
  await database.execute(sql`
    update customer set birthday = '1990-03-12', birthday_changed_at = ${hours(1).toISOString()} where id = ${changed.id}`);
  await approve();
  await start(IdCampaign);
  const reached = (await given(IdCampaign)).map(({ id }) => id);
  expect(reached).toContain(honest.id);
  expect(reached).not.toContain(changed.id);
  await end();
});

test("of two accounts that become one both vouchers stay, and each counts once", async () => {
  const [shop, survivor, other] = [await openShop(), await addMember(), await addMember()];
  await agreed(survivor.id);
  const { IdCampaign, end, read } = await begin({ ...voucher, LineRule: JSON.stringify({ priceTypes: ["full"] }) });
  await start(IdCampaign);
  const before = (await read())?.Vouchers;
  const [service, owner] = [await openOffice("service"), await openOffice("owner")];
  const pair = { IdCustomer: survivor.id, IdOther: other.id, Reason: "request" as const, Note: "Deux fois elle" };
  const { IdRequest } = await service.call(customersCalls.mergeCustomers, pair);
  await owner.call(customersCalls.previewMerge, { IdCustomer: survivor.id, IdOther: other.id });
  await owner.call(customersCalls.approveRequest, { IdRequest });
  const own = (await given(IdCampaign)).filter(({ id }) => id === survivor.id);
  expect(own).toHaveLength(2);
  const sold = { CardNumber: survivor.card, VoucherCodes: own[1]?.code ?? "" };
  const refused = shop.sell({ ...sold, Lines: [{ Line: "1", Amount: "60.00", PriceType: "sale" }] });
  expect((await refusalOf(refused)).code).toBe("basket_too_small");
  await shop.sell({ ...sold, Amount: "60.00" });
  expect(await read()).toMatchObject({ Vouchers: before, Sales: 1, Cents: 1_500 });
  await end();
  await expectInvariants(database);
});

test("what a voucher cannot have is refused at its field", async () => {
  const refused = async (more: object) =>
    launch({ ...voucher, ...more }).then(
      () => [],
      (error: CallFailed) => error.problem?.errors?.map(({ field, code }) => ({ field, code })),
    );
  for (const [field, value] of Object.entries({
    IdShop: "1",
    Weekdays: "6",
    FromHour: "9",
    MemberLimitPoints: "10",
    LimitPoints: "10",
  }))
    expect(await refused({ [field]: value })).toEqual([{ field, code: "invalid" }]);
  expect(await refused({ VoucherDays: undefined })).toEqual([{ field: "VoucherDays", code: "required" }]);
  expect(await refused({ VoucherDays: "731" })).toEqual([{ field: "VoucherDays", code: "invalid" }]);
  expect(await refused({ LimitAmount: "14.99" })).toEqual([{ field: "LimitAmount", code: "below_voucher" }]);
  expect(await refused({ ExtraPoints: "5" })).toEqual([{ field: "VoucherAmount", code: "invalid" }]);
  // More than the points that two people may give.
  expect(await refused({ VoucherAmount: "400.01" })).toEqual([{ field: "VoucherAmount", code: "voucher_amount" }]);
});
