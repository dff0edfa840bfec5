import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { readCustomer, signInWithEmail } from "#identity/calls.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { sessionTokens } from "#identity/session/session.tables.server.ts";
import { CallFailed } from "#platform/api/client/client.ts";
import { enter, form, freshEmail, password, registrationForm } from "#testing/people.server.ts";
import { startProcessorTimer } from "#testing/processor-timer.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

// At the product's cost: a test below compares the work of refusals.
const { call, as, fetch, database } = await openTestProduct({}, { passwords: createPasswordHashes() });
const { call: secureCall, fetch: secureFetch } = await openTestProduct({
  PUBLIC_URL: "https://cercle.example",
  SANDBOX: "on",
});

const signIn = (Email: string, Password: string, language = "fr") =>
  fetch("/api/authentification/email", form({ Email, Password, LanguageIsoCode: language }));

test("the right password opens a session that the header carries", async () => {
  const { email, Customer } = await enter(call);
  const { AuthData } = await call(signInWithEmail, { Email: email.toUpperCase(), Password: password });
  expect(AuthData.Customer).toEqual(Customer);
  expect(await as(AuthData.Token)(readCustomer)).toEqual(Customer);
  const days = (Date.parse(AuthData.ExpiresAt) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThan(30.1);
});

test.each([
  ["fr", "Le mot de passe ou l'email est incorrect"],
  ["en", "The password or the email is incorrect"],
  ["de", "Das Passwort oder die E‑Mail-Adresse ist falsch"],
])("in %s a wrong password and an unknown address get the same response", async (language, detail) => {
  const { email } = await enter(call);
  const responses = await Promise.all([signIn(email, "wrong-1", language), signIn(freshEmail(), "wrong-1", language)]);
  const problems = await Promise.all(responses.map((response) => response.json()));
  for (const [i, response] of responses.entries()) {
    expect(response.status).toBe(401);
    expect(problems[i]).toMatchObject({ code: "wrong_login", detail });
    expect(response.headers.getSetCookie()).toEqual([]);
  }
  const { instance: one, ...known } = problems[0];
  const { instance: other, ...unknown } = problems[1];
  expect(one).not.toBe(other);
  expect(known).toEqual(unknown);
});

test("a wrong password, an unknown address and an account without a password take the same work", async () => {
  const { email } = await enter(call);
  const { email: social } = await enter(call);
  await database.update(customers).set({ passwordHash: null }).where(eq(customers.email, social));
  const times: Record<string, number[]> = { [email]: [], [social]: [], [freshEmail()]: [] };
  for (let round = 0; round < 6; round += 1)
    for (const [address, list] of Object.entries(times)) {
      const taken = startProcessorTimer();
      await signIn(address, "wrong-1");
      list.push(taken());
    }
  const least = Object.values(times).map((list) => Math.min(...list));
  expect(Math.max(...least) / Math.min(...least)).toBeLessThan(1.6);
});

test("the length rule is for new passwords: at sign-in a long one is refused as wrong", async () => {
  expect((await signIn(freshEmail(), "x".repeat(300))).status).toBe(401);
});

test("a guest has no password to sign in with", async () => {
  const { email } = await enter(call);
  await database.execute(sql`
    update customer set guest = true, password_hash = null where email = ${email}`);
  await database.execute(sql`delete from customer_email where email = ${email}`);
  expect((await signIn(email, password)).status).toBe(401);
});

test("the session cookie is HttpOnly and SameSite, and a sign-in clears the logout cookie", async () => {
  const { email } = await enter(call);
  const cookies = (await signIn(email, password)).headers.getSetCookie();
  expect(cookies[0]).toMatch(/^auth\.token=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(cookies[1]).toMatch(/^auth\.logout=; Max-Age=0; Path=\/; SameSite=Lax$/);
});

test("under https the cookies are secure", async () => {
  const Email = freshEmail();
  await enter(secureCall, registrationForm({ Email }));
  const response = await secureFetch("/api/authentification/email", form({ Email, Password: password }));
  for (const cookie of response.headers.getSetCookie()) expect(cookie).toMatch(/; Secure(;|$)/);
});

test("the header is read first: an invalid one does not fall back to the cookie", async () => {
  const { Token } = await enter(call);
  const cookie = `auth.token=${Token}`;
  expect((await fetch("/api/customer", { headers: { cookie } })).status).toBe(200);
  expect((await fetch("/api/customer", { headers: { cookie, authorization: "Bearer nobody" } })).status).toBe(401);
  expect((await fetch("/api/customer", { headers: { cookie, authorization: "Basic bGVh" } })).status).toBe(401);
});

test.each([
  ["fr", "Connectez-vous pour continuer."],
  ["en", "Sign in to continue."],
  ["de", "Melden Sie sich an, um fortzufahren."],
])("without a session the customer is refused in %s", async (language, detail) => {
  const response = await fetch("/api/customer", { headers: { "accept-language": language } });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code: "not_signed_in", detail });
});

test("a stored token hash is not accepted as a token", async () => {
  const { Customer, Token } = await enter(call);
  const [row] = await database.select().from(sessionTokens).where(eq(sessionTokens.customerId, Customer.IdCustomer));
  const stored = row?.tokenHash ?? Buffer.alloc(32);
  expect(stored).toHaveLength(32);
  for (const stolen of [stored.toString("base64url"), stored.toString("hex")]) {
    expect(stolen).not.toBe(Token);
    await expect(as(stolen)(readCustomer)).rejects.toThrow(CallFailed);
  }
});

test.each([
  [{ origin: "https://evil.example" }],
  [{ "sec-fetch-site": "cross-site" }],
  [{ "sec-fetch-site": "same-site", origin: "https://other.localhost" }],
  [{}],
])("a page of another site cannot use the cookie, nor sign anybody in: %j", async (from) => {
  const { Token, email } = await enter(call);
  const headers: Record<string, string> = { ...from, cookie: `auth.token=${Token}` };
  const edit = await fetch("/api/customer", { ...form({ Firstname: "Eve", Lastname: "Eve" }), method: "PUT", headers });
  expect(edit.status).toBe(403);
  expect(await edit.json()).toMatchObject({ code: "cross_site", detail: "Cette demande ne vient pas de notre site." });
  const { cookie: _, ...stranger } = headers;
  const entered = await fetch("/api/authentification/email", {
    ...form({ Email: email, Password: password }),
    headers: stranger,
  });
  expect(entered.status).toBe(Object.keys(from).length > 0 ? 403 : 200);
  expect((await as(Token)(readCustomer)).Firstname).toBe("Léa");
});

test("signing in again in the same browser leaves no session behind", async () => {
  const first = await enter(call);
  const again = await fetch("/api/authentification/email", {
    ...form({ Email: first.email, Password: password }),
    headers: { cookie: `auth.token=${first.Token}`, "sec-fetch-site": "same-origin" },
  });
  expect(again.status).toBe(200);
  await expect(as(first.Token)(readCustomer)).rejects.toThrow("Unexpected status code: 401");
});
