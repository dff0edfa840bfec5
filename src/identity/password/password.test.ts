import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { changePassword, readCustomer, resendVerification, signInWithEmail, validateReset } from "#identity/calls.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { socialAccounts, socialLogins } from "#identity/customer/social-login.tables.server.ts";
import { links } from "#identity/links/links.tables.server.ts";
import {
  emailsTo,
  enter,
  form,
  freshEmail,
  mailedToken,
  password,
  resetLinks,
  runJobs,
} from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const { call, as, fetch, database, product } = await openTestProduct();
const fresh = { Password: "nouveau-1", ConfirmPassword: "nouveau-1" };
const gone = "Unexpected status code: 401";

const askForLink = resetLinks({ call, database, jobs: product.jobs });

const reset = (Token: string, more: object = {}) =>
  fetch("/api/customer/password/reset", form({ Token, ...fresh, ...more }));

test.each([
  ["fr", "http://localhost:3000/reinitialiser?token="],
  ["en", "http://localhost:3000/en/reset?token="],
  ["de", "http://localhost:3000/de/reset?token="],
])("in %s the reset link uses the configured address, whatever the Host header says", async (language, start) => {
  const { email } = await enter(call);
  await fetch("/api/customer/password/forget", {
    ...form({ Email: email, LanguageIsoCode: language }),
    headers: { host: "evil.example", "x-forwarded-host": "evil.example" },
  });
  await runJobs(database, product.jobs);
  const mail = (await emailsTo(database, email)).at(-1);
  expect(mail?.locale).toBe(language);
  expect(mail?.content.action?.url).toMatch(new RegExp(`^${start.replaceAll(/[.?]/g, "\\$&")}[\\w-]{43}$`));
});

test("a known and an unknown address get the same response after the same work, and only the known one gets a mail", async () => {
  const { email } = await enter(call);
  const unknown = freshEmail("nobody");
  const responses = await Promise.all(
    [email, unknown].map((Email) => fetch("/api/customer/password/forget", form({ Email }))),
  );
  for (const response of responses) {
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({});
  }
  const { rows } = await database.$client.query(
    "select payload->>'email' as email from graphile_worker._private_jobs where payload->>'email' is not null order by 1",
  );
  expect(rows.map((row) => row.email).sort()).toEqual([email, unknown].sort());
  await runJobs(database, product.jobs);
  expect(await emailsTo(database, email)).toHaveLength(2);
  expect(await emailsTo(database, unknown)).toEqual([]);
});

test("validating a link does not use it up, and shows the masked address", async () => {
  const { email } = await enter(call);
  const Token = await askForLink(email);
  for (let i = 0; i < 2; i += 1) expect(await call(validateReset, { Token })).toEqual({ Email: "l•••@exemple.fr" });
});

test.each(["cross-site", "same-site", "none", "same-origin"])(
  "a reset link followed from a page of %s opens, signed in or not",
  async (site) => {
    const { email, Token } = await enter(call);
    const link = await askForLink(email);
    for (const cookie of ["", `auth.token=${Token}`]) {
      const page = await fetch(`/reinitialiser?token=${link}`, { headers: { "sec-fetch-site": site, cookie } });
      expect(page.status).toBe(200);
      expect(await page.text()).toContain("l•••@exemple.fr");
    }
  },
);

test("a reset sets the password, verifies the address and ends every session and every other link", async () => {
  const owner = await enter(call);
  const verify = await mailedToken(database, owner.email);
  const Token = await askForLink(owner.email);
  expect((await reset(Token)).status).toBe(200);
  await expect(as(owner.Token)(readCustomer)).rejects.toThrow(gone);
  expect((await fetch("/api/customer/email/verify", form({ Token: verify }))).status).toBe(409);
  await expect(call(signInWithEmail, { Email: owner.email, Password: password })).rejects.toThrow(gone);
  const { AuthData } = await call(signInWithEmail, { Email: owner.email, Password: fresh.Password });
  expect(AuthData.Customer.EmailVerified).toBe(true);
  const subjects = (await emailsTo(database, owner.email)).map(({ content: mail }) => mail.subject);
  expect(subjects.slice(-2)).toEqual(["Bienvenue chez Cercle", "Votre mot de passe a changé"]);
});

test.each([
  ["fr", "Ce lien n’est plus valable. Demandez-en un nouveau."],
  ["en", "This link is no longer valid. Please ask for a new one."],
  ["de", "Dieser Link ist nicht mehr gültig. Bitte fordern Sie einen neuen an."],
])(
  "a used, expired, replaced, foreign or invented link gets the same refusal, in %s",
  async (LanguageIsoCode, detail) => {
    const { email, Customer } = await enter(call);
    const wrongPurpose = await mailedToken(database, email);
    const replaced = await askForLink(email);
    const expired = await askForLink(email);
    await database.execute(
      sql`update link set expires_at = now() where customer_id = ${Customer.IdCustomer} and purpose = 'reset'`,
    );
    const used = await askForLink(email);
    expect((await reset(used)).status).toBe(200);
    for (const token of [used, expired, replaced, wrongPurpose, "x".repeat(43), "short"]) {
      const response = await reset(token, { LanguageIsoCode });
      expect(response.status).toBe(409);
      expect(await response.json()).toMatchObject({ code: "link_expired", detail });
      const look = await fetch("/api/customer/password/validate", form({ Token: token, LanguageIsoCode }));
      expect(look.status).toBe(409);
    }
  },
);

test("of ten concurrent resets with one link one succeeds, and its password signs in", async () => {
  const { email } = await enter(call);
  const Token = await askForLink(email);
  const tries = Array.from({ length: 10 }, (_, i) => `course-${i}`);
  const responses = await Promise.all(tries.map((Password) => reset(Token, { Password, ConfirmPassword: Password })));
  const won = responses.findIndex((response) => response.status === 200);
  expect(responses.map((response) => response.status).sort()).toEqual([200, ...Array(9).fill(409)]);
  await call(signInWithEmail, { Email: email, Password: tries[won] ?? "" });
});

test("a sign-in with the old password concurrent with a reset leaves no session behind", async () => {
  const { email } = await enter(call);
  const Token = await askForLink(email);
  const signIn = () => fetch("/api/authentification/email", form({ Email: email, Password: password }));
  const [, ...entered] = await Promise.all([reset(Token), signIn(), signIn(), signIn()]);
  for (const response of entered) {
    if (response.status !== 200) continue;
    const { AuthData } = await response.json();
    await expect(as(AuthData.Token)(readCustomer)).rejects.toThrow(gone);
  }
});

test("a reset removes the social logins of an account whose address nobody had verified", async () => {
  const { email, Customer } = await enter(call);
  const customerId = Customer.IdCustomer;
  await database.insert(socialLogins).values({ customerId, provider: "google" });
  await database
    .insert(socialAccounts)
    .values({ customerId, provider: "google", providerCustomerId: `planted-${customerId}` });
  await reset(await askForLink(email));
  const { AuthData } = await call(signInWithEmail, { Email: email, Password: fresh.Password });
  expect(AuthData.Customer.SocialLogins).toEqual([]);
});

test.each([
  [{ Password: "12345", ConfirmPassword: "12345" }, "Password", "password_length"],
  [{ ConfirmPassword: "autre-12" }, "ConfirmPassword", "password_mismatch"],
])("a reset with %j is refused and leaves the link valid", async (wrong, field, code) => {
  const { email } = await enter(call);
  const Token = await askForLink(email);
  const response = await reset(Token, wrong);
  expect(response.status).toBe(400);
  expect((await response.json()).errors).toMatchObject([{ field, code }]);
  expect((await reset(Token)).status).toBe(200);
});

test("changing the password needs the current one, ends the other sessions and mails the customer", async () => {
  const owner = await enter(call);
  const other = (await call(signInWithEmail, { Email: owner.email, Password: password })).AuthData.Token;
  const pending = await askForLink(owner.email);
  const change = (fields: object) =>
    fetch("/api/customer/password", {
      ...form({ ...fresh, ...fields }),
      headers: { authorization: `Bearer ${owner.Token}` },
    });
  expect((await (await change({})).json()).errors).toMatchObject([{ field: "CurrentPassword", code: "required" }]);
  expect((await (await change({ CurrentPassword: "faux-mot" })).json()).errors).toEqual([
    { field: "CurrentPassword", code: "wrong_password", message: "Ce mot de passe est incorrect" },
  ]);
  expect((await change({ CurrentPassword: password })).status).toBe(200);
  await as(owner.Token)(readCustomer);
  await expect(as(other)(readCustomer)).rejects.toThrow(gone);
  expect((await reset(pending)).status).toBe(409);
  expect((await emailsTo(database, owner.email)).at(-1)?.content.subject).toBe("Votre mot de passe a changé");
});

test("an account without a password sets its first one without a current one", async () => {
  const { email, Customer, Token } = await enter(call);
  await database.update(customers).set({ passwordHash: null }).where(eq(customers.id, Customer.IdCustomer));
  await as(Token)(changePassword, fresh);
  await call(signInWithEmail, { Email: email, Password: fresh.Password });
});

test("links are stored as hashes", async () => {
  const { Customer, Token, email } = await enter(call);
  await as(Token)(resendVerification);
  const token = await mailedToken(database, email);
  const rows = await database.select().from(links).where(eq(links.customerId, Customer.IdCustomer));
  expect(rows).toHaveLength(1);
  const { rows: stored } = await database.$client.query(
    "select encode(token_hash, 'base64') as hash from link_token where customer_id = $1",
    [Customer.IdCustomer],
  );
  expect(JSON.stringify(stored)).not.toContain(token.slice(0, 20));
});
