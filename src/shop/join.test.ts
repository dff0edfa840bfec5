import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import {
  exportCustomer,
  readCustomer,
  sendCode,
  signInWithEmail,
  validateVerification,
  verifyEmail,
} from "#identity/calls.ts";
import { passToApple, passToGoogle, readLoyalty, readPass } from "#loyalty/calls.ts";
import * as calls from "#shop/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import {
  emailsTo,
  enter,
  freshEmail,
  mailedToken,
  password,
  registrationForm,
  resetLinks,
  runJobs,
} from "#testing/people.server.ts";
import { openTestShop } from "#testing/shop.server.ts";

const {
  as,
  call: anyone,
  addCustomer,
  clock,
  database,
  fetch,
  openShop,
  product,
} = await openTestShop({
  RATE_LIMITS: "on",
  SANDBOX: "on",
});
const resetLink = resetLinks({ call: anyone, database, jobs: product.jobs });

const person = (changes: object = {}) => ({
  ...{ Email: freshEmail("camille"), Firstname: "Camille", Lastname: "Laurent", LanguageIsoCode: "en" },
  ...changes,
});
const passToken = (url: string) => new URL(url).searchParams.get("token") ?? "";
const choose = { Password: password, ConfirmPassword: password };

async function signIn(Email: string) {
  const { AuthData } = await anyone(signInWithEmail, { Email, Password: password });
  return as(AuthData.Token);
}

test("a customer registered at a till is a member with a card at once, and earns", async () => {
  const till = await openShop();
  const joined = await till.call(calls.joinInShop, person());
  expect(joined).toMatchObject({ CardNumber: expect.stringMatching(/^29\d{11}$/), Name: "Camille L." });
  expect(joined.PassUrl).toMatch(/\/en\/pass\?token=[\w-]{43}$/);
  const { Customers } = await till.call(calls.identify, { CardNumber: joined.CardNumber });
  expect(Customers).toMatchObject([{ Name: "Camille L.", Points: 250 }]);
  const sold = await till.sell({ CardNumber: joined.CardNumber, Amount: "40.00" });
  expect(sold.Points).toMatchObject({ Earned: 40, Available: 290 });
});

test("the same fields again get the same response within 15 minutes; twenty at once make one customer", async () => {
  const till = await openShop();
  const form = person();
  const answers = await Promise.all(Array.from({ length: 20 }, () => till.call(calls.joinInShop, form)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await emailsTo(database, form.Email)).toHaveLength(1);
  const other = { ...form, Lastname: "Larue" };
  expect(await refusalOf(till.call(calls.joinInShop, other))).toMatchObject({ status: 409, code: "email_taken" });
  const elsewhere = await openShop("Cercle Lyon");
  expect(await refusalOf(elsewhere.call(calls.joinInShop, form))).toMatchObject({ code: "email_taken" });
  clock.now = new Date(clock.now.getTime() + 16 * 60_000);
  expect(await refusalOf(till.call(calls.joinInShop, form))).toMatchObject({ code: "email_taken" });
});

test("a known address is refused, and asking about many counts as guessing", async () => {
  const till = await openShop();
  const { email: Email } = await addCustomer();
  const answers = await Promise.all(
    Array.from({ length: 31 }, () => refusalOf(till.call(calls.joinInShop, person({ Email })))),
  );
  expect(answers[0]).toMatchObject({ status: 409, code: "email_taken" });
  expect(await refusalOf(till.call(calls.joinInShop, person({ Email })))).toMatchObject({ status: 429 });
});

test("a key mails thirty emails an hour and no more; a missing scope is refused", async () => {
  const till = await openShop();
  const answers = await Promise.all(Array.from({ length: 31 }, () => refusalOf(till.call(calls.joinInShop, person()))));
  expect(answers.filter(({ status }) => status === undefined)).toHaveLength(30);
  expect(answers.filter(({ code }) => code === "too_many")).toHaveLength(1);
  const seller = await openShop("Cercle Nantes", ["identify", "sell"]);
  expect(await refusalOf(seller.call(calls.joinInShop, person()))).toMatchObject({
    status: 403,
    code: "scope_missing",
  });
});

test.each([
  [{ Email: "camille" }, "Email", "email"],
  [{ Firstname: "" }, "Firstname", "required"],
  [{ Lastname: "www.evil.example" }, "Lastname", "name_link"],
])("%j is refused", async (changes, field, code) => {
  const till = await openShop();
  const body = new URLSearchParams(person(changes));
  const headers = { authorization: `Bearer ${till.key}` };
  const refused = await fetch("/api/shop/join", { method: "POST", body, headers });
  expect(refused.status).toBe(400);
  expect((await refused.json()).errors).toMatchObject([{ field, code }]);
});

test("the one email names shop and day, and its link asks whether the card is theirs", async () => {
  const till = await openShop("Cercle Marais");
  const form = person();
  await till.call(calls.joinInShop, form);
  const emails = await emailsTo(database, form.Email);
  expect(emails).toHaveLength(1);
  expect(emails[0]?.content.text).toContain("Cercle Marais");
  const Token = await mailedToken(database, form.Email, "/account/email");
  expect(await anyone(validateVerification, { Token })).toEqual({
    Email: expect.stringContaining("•"),
    ShopRegistration: { Name: "Camille L.", ShopName: "Cercle Marais", RegisteredAt: clock.now.toISOString() },
  });
  expect(await refusalOf(anyone(verifyEmail, { Token }))).toMatchObject({ status: 409, code: "password_needed" });
});

test("yes keeps card, name and points, with the opt-in that was chosen", async () => {
  const till = await openShop();
  const form = person();
  const { CardNumber, PassUrl } = await till.call(calls.joinInShop, form);
  const Token = await mailedToken(database, form.Email, "/account/email");
  await anyone(verifyEmail, { Token, ...choose, KeepCard: true, NewsletterSubscribe: true });
  const call = await signIn(form.Email);
  expect(await call(readCustomer)).toMatchObject({
    ...{ Firstname: "Camille", Lastname: "Laurent", EmailVerified: true, NewsletterSubscribe: true },
  });
  expect(await call(readLoyalty)).toMatchObject({ Card: { Number: CardNumber }, Points: { Available: 250 } });
  expect(await anyone(readPass, { Token: passToken(PassUrl) })).toMatchObject({ CardNumber });
  const { rows } = await database.execute(sql`
    select consent.subject, given, source from consent join customer on customer.id = customer_id
    where email = ${form.Email} order by consent.id`);
  expect(rows).toEqual([
    { subject: "loyalty", given: true, source: "store" },
    { subject: "newsletter", given: true, source: "confirmation" },
  ]);
  expect(await refusalOf(anyone(verifyEmail, { Token, ...choose, KeepCard: true }))).toMatchObject({
    code: "link_expired",
  });
  const exported = await call(exportCustomer);
  expect(JSON.stringify(exported)).toContain('"registration":{"shop":"Cercle Marais"');
});

test("no starts clean: another card, another name, and the till's QR code brings nothing", async () => {
  const till = await openShop();
  const form = person();
  const { CardNumber, PassUrl } = await till.call(calls.joinInShop, form);
  const Token = await mailedToken(database, form.Email, "/account/email");
  await anyone(verifyEmail, { Token, ...choose, KeepCard: false });
  const call = await signIn(form.Email);
  expect((await call(readCustomer)).Lastname).toBe("");
  expect((await call(readLoyalty)).Card?.Number).not.toBe(CardNumber);
  expect(await refusalOf(anyone(readPass, { Token: passToken(PassUrl) }))).toMatchObject({ code: "link_expired" });
});

test("KeepCard keeps nothing of an account that a stranger registered on the web", async () => {
  const { email } = await enter(anyone, registrationForm({ Lastname: "Planted" }));
  const Token = await mailedToken(database, email, "/account/email");
  const confirmed = await anyone(verifyEmail, { Token, ...choose, KeepCard: true });
  expect(confirmed).toMatchObject({ Email: email, Lastname: "" });
});

test("who forgets the email and asks for a password gets the same question, and keeps the card", async () => {
  const till = await openShop();
  const form = person();
  const { CardNumber } = await till.call(calls.joinInShop, form);
  await resetLink(form.Email, "en");
  const emails = await emailsTo(database, form.Email);
  expect(emails.map(({ content: mail }) => mail.subject)).toEqual([
    emails[0]?.content.subject,
    emails[0]?.content.subject,
  ]);
  const Token = await mailedToken(database, form.Email, "/account/email");
  await anyone(verifyEmail, { Token, ...choose, KeepCard: true });
  expect((await (await signIn(form.Email))(readLoyalty)).Card?.Number).toBe(CardNumber);
});

test("the QR code brings the pass for an hour, and never a session", async () => {
  const till = await openShop();
  const { CardNumber, PassUrl } = await till.call(calls.joinInShop, person());
  const Token = passToken(PassUrl);
  const shown = await fetch(new URL(PassUrl).pathname + new URL(PassUrl).search);
  expect(shown.status).toBe(200);
  expect(shown.headers.get("set-cookie") ?? "").not.toContain("auth.token");
  expect(await shown.text()).toContain(CardNumber);
  expect(await refusalOf(as(Token)(readCustomer))).toMatchObject({ status: 401 });
  expect(await anyone(passToGoogle, { Token })).toMatchObject({ SaveUrl: expect.stringContaining("http") });
  const apple = await fetch(`/api/${passToApple.slice("GET ".length)}?Token=${Token}`);
  expect(apple.headers.get("content-type")).toBe("application/vnd.apple.pkpass");
  clock.now = new Date(clock.now.getTime() + 61 * 60_000);
  for (const line of [readPass, passToGoogle, passToApple] as const)
    expect(await refusalOf(anyone(line, { Token }))).toMatchObject({ status: 409, code: "link_expired" });
  const late = await fetch(new URL(PassUrl).pathname + new URL(PassUrl).search);
  expect(await late.text()).toContain("This code is no longer valid");
});

test("who asks for a code instead gets the link again, and keeps the card", async () => {
  const till = await openShop();
  const form = person();
  const { CardNumber } = await till.call(calls.joinInShop, form);
  await anyone(sendCode, { Email: form.Email, LanguageIsoCode: "en" });
  await runJobs(database, product.jobs);
  const sent = await emailsTo(database, form.Email);
  expect(sent.map(({ content: mail }) => mail.subject)).toEqual(Array(2).fill(sent[0]?.content.subject));
  await anyone(verifyEmail, { Token: await mailedToken(database, form.Email), ...choose, KeepCard: true });
  expect((await (await signIn(form.Email))(readLoyalty)).Card?.Number).toBe(CardNumber);
});
