import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { textsOf } from "#brand/texts.server.ts";
import {
  answerPreviousDetails,
  editCustomer,
  exportCustomer,
  listSessions,
  readPreviousDetails,
  resetPassword,
  signInWithEmail,
  validateReset,
  verifyEmail,
} from "#identity/calls.ts";
import { nameFromEmail } from "#identity/customer/names.server.ts";
import { deleteExpiredJob } from "#identity/jobs.server.ts";
import { readLoyalty, saveToGoogle } from "#loyalty/calls.ts";
import {
  emailsTo,
  enter,
  form,
  freshEmail,
  guestForm,
  mailedToken,
  password,
  registrationForm,
  resetLinks,
} from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { freshPerson, socialTools } from "#testing/services/social.server.ts";

const product = await openTestProduct();
const { call, as, fetch, database, runJobs } = product;
const social = socialTools(product);
const fresh = { Password: "nouveau-1", ConfirmPassword: "nouveau-1" };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const askForLink = resetLinks({ call, database, jobs: product.product.jobs });

/** A stranger registers with the owner's address, opts in to everything and puts the card into both wallets. */
async function plant() {
  const email = freshEmail("owner");
  const planted = await enter(
    call,
    registrationForm({
      Email: email,
      Firstname: "Eve",
      Lastname: "Mallory",
      Civility: "Mme",
      MobilePhone: "0612345678",
      NewletterActive: true,
      NewsletterSmsSubscribe: true,
      LoyaltySubscribe: true,
    }),
  );
  const stranger = as(planted.Token);
  const { Card } = await stranger(readLoyalty);
  const { SaveUrl } = await stranger(saveToGoogle);
  expect((await fetch(new URL(SaveUrl).pathname)).status).toBe(200);
  const pass = await fetch("/api/loyalty/wallet/apple", { headers: bearer(planted.Token) });
  expect(pass.status).toBe(200);
  const { rows } = await database.execute<{ serial: string; object: string }>(sql`
    select a.serial, g.object_id as object from apple_pass a join google_pass g using (customer_id)
    where customer_id = ${planted.Customer.IdCustomer}`);
  await database.execute(sql`insert into apple_device (customer_id, device_id, push_token, registered_at)
    values (${planted.Customer.IdCustomer}, 'phone', 'push', now())`);
  return { email, id: planted.Customer.IdCustomer, token: planted.Token, card: Card?.Number, ...rows[0] };
}

const passesOf = async (customerId: number) =>
  (
    await database.execute(sql`
      select from apple_pass where customer_id = ${customerId}
      union all select from apple_serial where customer_id = ${customerId}
      union all select from apple_device where customer_id = ${customerId}
      union all select from google_pass where customer_id = ${customerId}`)
  ).rowCount;

test.each([
  [
    "a reset",
    async ({ email }: { email: string }) => {
      await call(resetPassword, { Token: await askForLink(email), ...fresh });
      return (await call(signInWithEmail, { Email: email, Password: fresh.Password })).AuthData;
    },
  ],
  [
    "a confirmation from another browser",
    async ({ email }: { email: string }) => {
      await call(verifyEmail, { Token: await mailedToken(database, email, "/account/email"), ...fresh });
      return (await call(signInWithEmail, { Email: email, Password: fresh.Password })).AuthData;
    },
  ],
  [
    "a first sign-in at the Google-type provider",
    ({ email }: { email: string }) => social.enterGoogle(freshPerson({ Email: email })),
  ],
])("%s of an account with an unconfirmed address resets it", async (how, come) => {
  const planted = await plant();
  const owner = await come(planted);
  expect(owner.Customer).toMatchObject({
    IdCustomer: planted.id,
    EmailVerified: true,
    Civility: null,
    Birthday: null,
    MobilePhone: null,
    NewsletterSubscribe: false,
    NewsletterSmsSubscribe: false,
    LoyaltySubscribe: true,
  });
  expect([owner.Customer.Firstname, owner.Customer.Lastname]).toEqual(
    how.includes("Google") ? ["Alix", "Moreau"] : [nameFromEmail(planted.email), ""],
  );
  // The stranger's sessions, logins, card and passes are invalid.
  expect((await fetch("/api/customer", { headers: bearer(planted.token) })).status).toBe(401);
  expect((await as(owner.Token)(listSessions)).Sessions).toHaveLength(1);
  await expect(call(signInWithEmail, { Email: planted.email, Password: password })).rejects.toThrow("401");
  const { Card } = await as(owner.Token)(readLoyalty);
  expect(Card?.Number).toMatch(/^29\d{11}$/);
  expect(Card?.Number).not.toBe(planted.card);
  expect(await passesOf(planted.id)).toBe(0);
  const cards = await database.execute<{ number: string }>(
    sql`select number from loyalty_card where customer_id = ${planted.id}`,
  );
  expect(cards.rows).toEqual([{ number: Card?.Number }]);
  // The stranger's opt-ins are withdrawn, in the consent log too.
  const { Consents } = await as(owner.Token)(exportCustomer);
  for (const subject of ["newsletter", "sms"])
    expect(Consents.filter(({ Subject }) => Subject === subject).map(({ Given }) => Given)).toEqual([true, false]);
  // Google Wallet gets the update that ends the stranger's pass.
  await runJobs();
  const { rows } = await database.execute<{ object: Record<string, unknown> }>(
    sql`select object from sandbox_google_pass where id like ${`%.${planted.object}`}`,
  );
  expect(rows).toMatchObject([{ object: { state: "EXPIRED", accountName: "" } }]);
});

test("a reset of an account whose address was confirmed keeps names, opt-ins and card, and ends the passes on phones", async () => {
  const planted = await plant();
  await as(planted.token)(verifyEmail, { Token: await mailedToken(database, planted.email, "/account/email") });
  await call(resetPassword, { Token: await askForLink(planted.email), ...fresh });
  const { AuthData } = await call(signInWithEmail, { Email: planted.email, Password: fresh.Password });
  expect(AuthData.Customer).toMatchObject({ Firstname: "Eve", NewsletterSubscribe: true });
  expect((await as(AuthData.Token)(readLoyalty)).Card?.Number).toBe(planted.card);
  expect(await passesOf(planted.id)).toBe(2);
});

/** What the stranger of `plant` entered. */
const planted = {
  Firstname: "Eve",
  Lastname: "Mallory",
  Civility: "Mme" as const,
  Birthday: "1990-05-17",
  MobilePhone: "+33612345678",
  NewsletterSubscribe: true,
  NewsletterSmsSubscribe: true,
};

async function resetAndSignIn(email: string) {
  await call(resetPassword, { Token: await askForLink(email), ...fresh });
  const { AuthData } = await call(signInWithEmail, { Email: email, Password: fresh.Password });
  return as(AuthData.Token);
}

test("after such a reset the details are offered once; keeping them restores all but the opt-ins, which need a yes of their own", async () => {
  const { email } = await plant();
  const Token = await askForLink(email);
  expect(await call(validateReset, { Token, WithDetails: true })).toMatchObject({ AsksForDetails: true });
  const page = await (await fetch(`/reinitialiser?token=${Token}`)).text();
  expect(page).toContain(textsOf.fr.t("password.asksForDetails"));
  const owner = await resetAndSignIn(email);
  expect(await owner(readPreviousDetails)).toEqual({ Details: planted });
  expect((await owner(exportCustomer)).PreviousDetails).toMatchObject(planted);
  const kept = await owner(answerPreviousDetails, { Keep: true, NewsletterSmsSubscribe: true });
  expect(kept).toMatchObject({ ...planted, NewsletterSubscribe: false });
  expect(await owner(readPreviousDetails)).toEqual({ Details: null });
  const { Consents } = await owner(exportCustomer);
  const given = (subject: string) => Consents.filter(({ Subject }) => Subject === subject).map(({ Given }) => Given);
  expect([given("newsletter"), given("sms")]).toEqual([
    [true, false],
    [true, false, true],
  ]);
  await expect(owner(answerPreviousDetails, { Keep: true })).rejects.toThrow("404");
});

test("details that the owner discards are deleted, and those that nobody answers for are deleted after 30 days", async () => {
  const discarding = await resetAndSignIn((await plant()).email);
  expect(await discarding(answerPreviousDetails, { Keep: false })).toMatchObject({ Lastname: "", Birthday: null });
  expect(await discarding(readPreviousDetails)).toEqual({ Details: null });
  const silent = await resetAndSignIn((await plant()).email);
  await database.execute(sql`update previous_details set stored_at = stored_at - interval '29 days'`);
  await product.product.jobs[deleteExpiredJob]?.({}, database);
  expect((await silent(readPreviousDetails)).Details).not.toBeNull();
  await database.execute(sql`update previous_details set stored_at = stored_at - interval '2 days'`);
  await product.product.jobs[deleteExpiredJob]?.({}, database);
  expect(await silent(readPreviousDetails)).toEqual({ Details: null });
});

test("a reset in the browser that registered keeps the details and opt-ins, and still ends every other access", async () => {
  const email = freshEmail("owner");
  const { NewsletterSubscribe, ...details } = planted;
  const registration = registrationForm({ Email: email, ...details, NewletterActive: true });
  const registered = await fetch("/api/customer", form(registration));
  const { AuthData } = await registered.json();
  const device = registered.headers.getSetCookie().find((cookie) => cookie.startsWith("auth.device="));
  const browser = as(undefined, { cookie: device?.split(";")[0] ?? "" });
  const Token = await askForLink(email);
  expect(await browser(validateReset, { Token, WithDetails: true })).toEqual({
    Email: "o•••@exemple.fr",
    AsksForDetails: false,
  });
  await browser(resetPassword, { Token, ...fresh });
  expect((await fetch("/api/customer", { headers: bearer(AuthData.Token) })).status).toBe(401);
  const signedIn = await call(signInWithEmail, { Email: email, Password: fresh.Password });
  expect(signedIn.AuthData.Customer).toMatchObject({ ...details, NewsletterSubscribe, EmailVerified: true });
  const owner = as(signedIn.AuthData.Token);
  expect(await owner(readPreviousDetails)).toEqual({ Details: null });
  expect((await owner(exportCustomer)).Consents.map(({ Given }) => Given)).toEqual([true, true]);
});

test.each([
  ["fr", "Choisissez un mot de passe pour confirmer cette adresse sur cet appareil, ou connectez-vous d’abord."],
  ["en", "Set a password to confirm this address on this device, or sign in first."],
  [
    "de",
    "Legen Sie ein Passwort fest, um diese Adresse auf diesem Gerät zu bestätigen, oder melden Sie sich zuerst an.",
  ],
])(
  "a browser that is not signed in as that customer confirms with a new password alone, in %s",
  async (LanguageIsoCode, detail) => {
    const guest = await enter(call, guestForm());
    const planted = await enter(call, registrationForm({ Email: guest.email }));
    const somebody = await enter(call);
    const Token = await mailedToken(database, guest.email);
    for (const headers of [{}, bearer(somebody.Token)]) {
      const refused = await fetch("/api/customer/email/verify", { ...form({ Token, LanguageIsoCode }), headers });
      expect(refused.status).toBe(409);
      expect(await refused.json()).toMatchObject({ code: "password_needed", detail });
    }
    // Nothing happened: no account has the guest's address yet, and the link is still valid.
    expect((await as(planted.Token)(exportCustomer)).Addresses).toEqual([]);
    const wrong = await fetch(
      "/api/customer/email/verify",
      form({ Token, Password: "nouveau-1", ConfirmPassword: "x" }),
    );
    expect((await wrong.json()).errors).toMatchObject([{ field: "ConfirmPassword", code: "password_mismatch" }]);
    const customer = await call(verifyEmail, { Token, ...fresh });
    expect(customer).toMatchObject({ EmailVerified: true, Email: guest.email });
    // The stranger who made the account never sees what was the guest's.
    expect((await fetch("/api/customer/export", { headers: bearer(planted.Token) })).status).toBe(401);
    const { AuthData } = await call(signInWithEmail, { Email: guest.email, Password: fresh.Password });
    expect((await as(AuthData.Token)(exportCustomer)).Addresses).toHaveLength(1);
  },
);

test("a session that has just ended cannot confirm the address", async () => {
  const owner = await enter(call);
  const Token = await mailedToken(database, owner.email);
  await database.execute(sql`delete from session where customer_id = ${owner.Customer.IdCustomer}`);
  await expect(as(owner.Token)(verifyEmail, { Token })).rejects.toThrow("409");
});

test("after such a reset no email, and once they are discarded no page, shows the stranger's name, and the account asks for the owner's", async () => {
  const planted = await plant();
  await runJobs();
  const before = (await emailsTo(database, planted.email)).length;
  await call(resetPassword, { Token: await askForLink(planted.email), ...fresh });
  // The email with the link was written before the address was confirmed.
  const after = (await emailsTo(database, planted.email)).slice(before + 1);
  expect(after).toHaveLength(2);
  for (const { content: mail } of after) expect(mail.html).not.toMatch(/Eve|Mallory/);
  const { AuthData } = await call(signInWithEmail, { Email: planted.email, Password: fresh.Password });
  const home = async () => (await fetch("/account", { headers: { cookie: `auth.token=${AuthData.Token}` } })).text();
  await as(AuthData.Token)(answerPreviousDetails, { Keep: false });
  expect(await home()).toContain(textsOf.fr.t("account.nameless"));
  await as(AuthData.Token)(editCustomer, { Firstname: "Anna", Lastname: "Weber" });
  expect(await home()).not.toContain(textsOf.fr.t("account.nameless"));
});

test("a session that the stranger put into the owner's browser cannot confirm the address by itself", async () => {
  const planted = await enter(call);
  const handed = await fetch("/api/customer/autologin", form({ Email: planted.email, Token: planted.Token }));
  const { AuthData } = await handed.json();
  const Token = await mailedToken(database, planted.email);
  const refused = await fetch("/api/customer/email/verify", { ...form({ Token }), headers: bearer(AuthData.Token) });
  expect(await refused.json()).toMatchObject({ code: "password_needed" });
  await as(planted.Token)(verifyEmail, { Token });
});

test("no wallet pass requested in a loop survives the reset of an account with an unconfirmed address", async () => {
  for (let round = 0; round < 4; round += 1) {
    const planted = await enter(call, registrationForm({ LoyaltySubscribe: true }));
    const link = await askForLink(planted.email);
    let going = true;
    let taken = 0;
    const loops = Array.from({ length: 4 }, async (_, n) => {
      const path = `/api/loyalty/wallet/${n % 2 ? "apple" : "google"}`;
      while (going) {
        const response = await fetch(path, { headers: bearer(planted.Token) });
        expect(response.status).toBeLessThan(500);
        if (response.status === 200) taken += 1;
      }
    });
    await expect.poll(() => taken, { interval: 1 }).toBeGreaterThan(1);
    await call(resetPassword, { Token: link, ...fresh });
    going = false;
    await Promise.all(loops);
    expect(await passesOf(planted.Customer.IdCustomer)).toBe(0);
  }
});
