import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { changePassword, readCustomer, unlinkSocial } from "#identity/calls.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { socialAccounts, socialLogins } from "#identity/customer/social-login.tables.server.ts";
import type { SocialProvider } from "#identity/customer/social-providers.ts";
import { enter, form, guestForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { freshPerson, socialTools } from "#testing/services/social.server.ts";

const product = await openTestProduct();
const { call, as, fetch, database } = product;
const social = socialTools(product);

/** A call with a session, in the browser that has the cookie. */
const act = (method: string, path: string, token: string, fields: object, cookie = "") =>
  fetch(path, { ...form(fields), method, headers: { authorization: `Bearer ${token}`, cookie } });

const link = (provider: SocialProvider, token: string, { fields, cookie = "" }: { fields: object; cookie?: string }) =>
  act("POST", `/api/customer/social/${provider}`, token, fields, cookie);

async function withLogins(...providers: SocialProvider[]) {
  const person = await enter(call);
  const customerId = person.Customer.IdCustomer;
  for (const provider of providers) {
    await database.insert(socialLogins).values({ customerId, provider });
    await database.insert(socialAccounts).values({ customerId, provider, providerCustomerId: `${customerId}` });
  }
  return { ...person, customerId };
}

const dropPassword = (customerId: number) =>
  database.update(customers).set({ passwordHash: null }).where(eq(customers.id, customerId));

test("a social login is removed, and its account may be linked again", async () => {
  const { Token, customerId } = await withLogins("google", "facebook");
  const customer = await as(Token)(unlinkSocial, { provider: "google" });
  expect(customer.SocialLogins).toEqual(["facebook"]);
  const left = await database.select().from(socialAccounts).where(eq(socialAccounts.customerId, customerId));
  expect(left.map(({ provider }) => provider)).toEqual(["facebook"]);
});

test.each([
  ["fr", "C’est votre seul moyen de vous connecter. Choisissez d’abord un mot de passe."],
  ["en", "This is your only way to sign in. Set a password first."],
  ["de", "Das ist Ihre einzige Anmeldemöglichkeit. Legen Sie zuerst ein Passwort fest."],
])("the only way to sign in cannot be removed, in %s", async (language, detail) => {
  const { Token, customerId } = await withLogins("google");
  await dropPassword(customerId);
  const response = await fetch("/api/customer/social/google", {
    method: "DELETE",
    headers: { authorization: `Bearer ${Token}`, "accept-language": language },
  });
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ code: "last_way_in", detail });
});

test("two concurrent removals leave one way to sign in", async () => {
  const { Token, customerId } = await withLogins("google", "facebook");
  await dropPassword(customerId);
  const results = await Promise.allSettled(
    (["google", "facebook"] as const).map((provider) => as(Token)(unlinkSocial, { provider })),
  );
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test.each(["facebook", "myspace", "__proto__"])(
  "removing the login %s, which is not linked, is refused with 404",
  async (provider) => {
    const { Token } = await withLogins("google");
    await expect(as(Token)(unlinkSocial, { provider })).rejects.toThrow("Unexpected status code: 404");
  },
);

test("accounts of both kinds are linked by their proof, and sign in from then on", async () => {
  const { Token, Customer } = await enter(call);
  const [alix, other] = [freshPerson(), freshPerson()];
  const google = await link("google", Token, await social.googleProof(alix));
  expect(google.status).toBe(200);
  expect((await google.json()).SocialLogins).toEqual(["google"]);
  const facebook = await link("facebook", Token, { fields: await social.facebookProof(other) });
  expect((await facebook.json()).SocialLogins).toEqual(["google", "facebook"]);
  expect((await social.enterGoogle(alix)).Customer.IdCustomer).toBe(Customer.IdCustomer);
  expect((await social.enterFacebook(other)).Customer.IdCustomer).toBe(Customer.IdCustomer);
});

test("linking twice changes nothing, and another account of that provider replaces the first", async () => {
  const { Token, Customer } = await enter(call);
  const [first, second] = [freshPerson(), freshPerson()];
  for (const person of [first, first, second])
    expect((await link("google", Token, await social.googleProof(person))).status).toBe(200);
  expect((await social.enterGoogle(second)).Customer.IdCustomer).toBe(Customer.IdCustomer);
  expect((await social.enterGoogle(first)).Customer.IdCustomer).not.toBe(Customer.IdCustomer);
});

test.each([
  ["fr", "Ce compte est déjà associé à un autre compte Cercle."],
  ["en", "This account is already linked to another Cercle account."],
  ["de", "Dieses Konto ist bereits mit einem anderen Cercle-Konto verknüpft."],
])("somebody else's account cannot be linked, in %s", async (LanguageIsoCode, detail) => {
  const person = freshPerson();
  await social.enterFacebook(person);
  const { Token } = await enter(call);
  const response = await link("facebook", Token, {
    fields: { ...(await social.facebookProof(person)), LanguageIsoCode },
  });
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ code: "already_linked", detail });
});

test("of three customers who link one account concurrently one succeeds", async () => {
  const person = freshPerson();
  const people = await Promise.all([1, 2, 3].map(() => enter(call)));
  const responses = await Promise.all(
    people.map(async ({ Token }) => link("facebook", Token, { fields: await social.facebookProof(person) })),
  );
  expect(responses.map((response) => response.status).sort()).toEqual([200, 409, 409]);
});

test("linking needs a proof, a session and a registered account", async () => {
  const { Token } = await enter(call);
  const missing = await link("google", Token, { fields: {} });
  expect(missing.status).toBe(401);
  expect(await missing.json()).toMatchObject({ code: "proof_missing", errors: [{ field: "IdToken" }] });
  const { fields } = await social.googleProof();
  expect((await link("google", Token, { fields })).status).toBe(401);
  expect((await fetch("/api/customer/social/facebook", form(await social.facebookProof()))).status).toBe(401);
  const guest = await enter(call, guestForm());
  expect((await link("facebook", guest.Token, { fields: await social.facebookProof() })).status).toBe(403);
});

test("an account with only a social login can set a first password and then unlink the provider", async () => {
  const { Token } = await social.enterGoogle();
  await as(Token)(changePassword, { Password: "cercle2026", ConfirmPassword: "cercle2026" });
  expect(await as(Token)(unlinkSocial, { provider: "google" })).toMatchObject({ HasPassword: true, SocialLogins: [] });
});

test("an account with only a social login is erased with a fresh proof of it, and not with somebody else's", async () => {
  const [alix, stranger] = [freshPerson(), freshPerson()];
  const { Token, Customer } = await social.enterGoogle(alix);
  const erase = (fields: object, cookie = "") => act("DELETE", "/api/customer", Token, fields, cookie);
  expect(await (await erase({})).json()).toMatchObject({ code: "proof_missing", errors: [{ field: "IdToken" }] });
  const foreign = await social.googleProof(stranger);
  expect(await (await erase(foreign.fields, foreign.cookie)).json()).toMatchObject({ code: "proof_invalid" });
  await as(Token)(readCustomer);
  const own = await social.googleProof(alix);
  expect((await erase(own.fields, own.cookie)).status).toBe(200);
  expect(await database.select().from(customers).where(eq(customers.id, Customer.IdCustomer))).toEqual([]);
  expect((await social.enterGoogle(alix)).Customer.IdCustomer).not.toBe(Customer.IdCustomer);
});

test("an access token older than ten minutes does not erase; a fresh one does, for a customer with a password too", async () => {
  const alix = freshPerson();
  const { Token } = await social.enterFacebook(alix);
  await as(Token)(changePassword, { Password: "cercle2026", ConfirmPassword: "cercle2026" });
  const old = await social.facebookProof(alix);
  vi.useFakeTimers({ now: Date.now() + 11 * 60_000, toFake: ["Date"] });
  const stale = await act("DELETE", "/api/customer", Token, old);
  vi.useRealTimers();
  expect(stale.status).toBe(401);
  expect((await act("DELETE", "/api/customer", Token, await social.facebookProof(alix))).status).toBe(200);
});
