import { eq, sql } from "drizzle-orm";
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import { expect, test } from "vitest";
import { issueNonce, readCustomer, signInWithEmail, signInWithFacebook, signInWithGoogle } from "#identity/calls.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { createSigningKey } from "#sandbox/keys.server.ts";
import { enter, form, freshEmail, password } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { freshPerson, socialTools } from "#testing/services/social.server.ts";

const product = await openTestProduct();
const { call, as, fetch, database, settings } = product;
const social = socialTools(product);
const key = await createSigningKey(database, "google")();
const issuer = settings.google?.issuer ?? "";
const clientId = settings.google?.clientId ?? "";
const sub = "100000000000000000001";

/** A token as the provider would issue it, except for what an attack changes. */
async function forge(
  changes: JWTPayload = {},
  expires = "1h",
  header: JWTHeaderParameters = { alg: "RS256", kid: key.kid },
) {
  const { Nonce, cookie } = await social.askNonce();
  const token = new SignJWT({ nonce: Nonce, email: freshEmail("victim"), email_verified: true, ...changes })
    .setProtectedHeader(header)
    .setIssuer(changes.iss ?? issuer)
    .setAudience(changes.aud ?? clientId)
    .setSubject(sub)
    .setIssuedAt(Math.floor(Date.now() / 1_000) - 7_200)
    .setExpirationTime(expires);
  return { cookie, sign: (by: Parameters<SignJWT["sign"]>[0] = key.privateKey) => token.sign(by) };
}

async function expectRefused(response: Response, code = "proof_invalid"): Promise<void> {
  expect(response.status).toBe(401);
  expect((await response.json()).code).toBe(code);
  expect(response.headers.getSetCookie().filter((cookie) => cookie.startsWith("auth.token="))).toEqual([]);
}

const tryToken = async (IdToken: string, cookie: string, GoogleCustomerId = sub) =>
  social.signInGoogle({ fields: { IdToken, GoogleCustomerId }, cookie });

test("a forged token with nothing changed is accepted, so the attacks below fail for the right reason", async () => {
  const { sign, cookie } = await forge();
  expect((await tryToken(await sign(), cookie)).status).toBe(200);
});

test.each([
  ["fr", "google", "IdToken", "Il manque la confirmation du service de connexion."],
  ["en", "google", "IdToken", "The sign-in provider’s confirmation is missing."],
  ["de", "google", "IdToken", "Die Bestätigung des Anmeldedienstes fehlt."],
  ["fr", "facebook", "AccessToken", "Il manque la confirmation du service de connexion."],
])(
  "the specification's own fields do not sign in, in %s: %s asks for %s",
  async (language, provider, field, detail) => {
    const owner = await enter(call);
    const response = await fetch(
      `/api/authentification/${provider}`,
      form({
        Email: owner.email,
        Firstname: "Léa",
        Lastname: "Martin",
        GoogleCustomerId: "1",
        FacebookCustomerId: "1",
        LanguageIsoCode: language,
        CurrencyIsoCode: "EUR",
      }),
    );
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({
      code: "proof_missing",
      detail,
      errors: [{ field, code: "required" }],
    });
  },
);

test.each([
  ["fr", "Le service de connexion n’a pas pu confirmer votre identité. Essayez à nouveau."],
  ["en", "The sign-in provider could not confirm who you are. Please try again."],
  ["de", "Der Anmeldedienst konnte Ihre Identität nicht bestätigen. Bitte versuchen Sie es erneut."],
])("an invented proof is refused in %s", async (language, detail) => {
  const response = await fetch("/api/authentification/google", {
    ...form({ IdToken: "a.b.c", GoogleCustomerId: "1" }),
    headers: { "accept-language": language },
  });
  expect(response.status).toBe(401);
  expect((await response.json()).detail).toBe(detail);
});

test("a token signed with another key is refused, whatever key it names", async () => {
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  for (const header of [
    { alg: "RS256", kid: key.kid },
    { alg: "RS256", kid: "unknown" },
    { alg: "RS256" },
    { alg: "RS256", jwk: await exportJWK(publicKey) },
  ]) {
    const { sign, cookie } = await forge({}, "1h", header);
    await expectRefused(await tryToken(await sign(privateKey), cookie));
  }
});

test("a token without a signature is refused", async () => {
  const { Nonce, cookie } = await social.askNonce();
  const claims = { nonce: Nonce, email: freshEmail(), email_verified: true, sub, iss: issuer, aud: clientId };
  const token = new UnsecuredJWT(claims).setIssuedAt().setExpirationTime("1h").encode();
  await expectRefused(await tryToken(token, cookie));
  const [header, body] = (await (await forge()).sign()).split(".");
  await expectRefused(await tryToken(`${header}.${body}.`, cookie));
});

test("the public key is not accepted as an HMAC secret", async () => {
  const published = (await importJWK(key.publicJwk, "RS256")) as CryptoKey;
  for (const secret of [await exportSPKI(published), JSON.stringify(key.publicJwk), key.publicJwk.n ?? ""]) {
    const { sign, cookie } = await forge({}, "1h", { alg: "HS256", kid: key.kid });
    await expectRefused(await tryToken(await sign(new TextEncoder().encode(secret)), cookie));
  }
});

test.each<[string, JWTPayload, string?]>([
  ["another issuer", { iss: "https://issuer.evil.example" }],
  ["an issuer that begins like the right one", { iss: `${issuer}.evil.example` }],
  ["another app's audience", { aud: "another.app" }],
  ["a token for several apps, handed to another", { aud: [clientId, "another.app"], azp: "another.app" }],
  ["an expired token", {}, "-1h"],
  ["no nonce", { nonce: undefined }],
  ["another browser's nonce", { nonce: "x".repeat(43) }],
  ["an empty nonce", { nonce: "" }],
])("%s is refused", async (_name, changes, expires) => {
  const { sign, cookie } = await forge(changes, expires);
  await expectRefused(await tryToken(await sign(), cookie));
});

test("a token without an expiry is refused", async () => {
  const { Nonce, cookie } = await social.askNonce();
  const token = await new SignJWT({ nonce: Nonce, sub, iss: issuer, aud: clientId, email: freshEmail() })
    .setProtectedHeader({ alg: "RS256", kid: key.kid })
    .setIssuedAt()
    .sign(key.privateKey);
  await expectRefused(await tryToken(token, cookie));
});

test("a valid token with somebody else's id is refused, and without an id the form is incomplete", async () => {
  const { sign, cookie } = await forge();
  const IdToken = await sign();
  await expectRefused(await tryToken(IdToken, cookie, "100000000000000000002"));
  const nameless = await social.signInGoogle({ fields: { IdToken }, cookie });
  expect(nameless.status).toBe(400);
  expect((await nameless.json()).errors).toMatchObject([{ field: "GoogleCustomerId", code: "required" }]);
  expect((await tryToken(IdToken, cookie)).status).toBe(200);
});

test("a nonce works once, also under ten concurrent uses, for ten minutes, and only in the browser that requested it", async () => {
  const proof = await social.googleProof();
  await expectRefused(await social.signInGoogle({ ...proof, cookie: "" }));
  await expectRefused(await social.signInGoogle({ ...proof, cookie: (await social.askNonce()).cookie }));
  const responses = await Promise.all(Array.from({ length: 10 }, () => social.signInGoogle(proof)));
  expect(responses.map((response) => response.status).sort()).toEqual([200, ...Array(9).fill(401)]);
  await expectRefused(await social.signInGoogle(proof));

  const late = await social.googleProof();
  await database.execute(sql`update social_nonce set expires_at = now()`);
  await expectRefused(await social.signInGoogle(late));
});

test("a nonce we did not issue is refused, even if cookie and token agree on it", async () => {
  const invented = "n".repeat(43);
  const { sign } = await forge({ nonce: invented });
  await expectRefused(await tryToken(await sign(), `auth.nonce=${invented}`));
});

test("the form's address is ignored: the token says who signs in", async () => {
  const victim = await enter(call);
  const person = freshPerson();
  const { fields, cookie } = await social.googleProof(person);
  const crossed = await social.signInGoogle({ fields: { ...fields, ...victimForm(victim.email) }, cookie });
  expect((await crossed.json()).AuthData.Customer).toMatchObject({ Email: person.Email, Firstname: "Alix" });
  const token = await social.facebookProof(freshPerson());
  const byFacebook = await social.signInFacebook({ ...token, ...victimForm(victim.email) });
  expect((await byFacebook.json()).AuthData.Customer.Email).not.toBe(victim.email);
  expect((await as(victim.Token)(readCustomer)).SocialLogins).toEqual([]);
});

const victimForm = (Email: string) => ({
  Email,
  Firstname: "Victime",
  Lastname: "Martin",
  IdCustomer: 1,
  Guest: false,
});

test("an account that a stranger registered in advance gets a clean start at its owner's Google-type sign-in", async () => {
  const planted = await enter(call);
  // The stranger has also linked an account of theirs.
  const mine = await social.facebookProof(freshPerson());
  await fetch("/api/customer/social/facebook", {
    ...form(mine),
    headers: { authorization: `Bearer ${planted.Token}` },
  });
  const owner = await social.enterGoogle(freshPerson({ Email: planted.email }));
  expect(owner.Customer).toMatchObject({
    IdCustomer: planted.Customer.IdCustomer,
    EmailVerified: true,
    HasPassword: false,
    SocialLogins: ["google"],
  });
  await expect(as(planted.Token)(readCustomer)).rejects.toThrow("Unexpected status code: 401");
  await expect(call(signInWithEmail, { Email: planted.email, Password: password })).rejects.toThrow("401");
  const back = await social.signInFacebook(mine);
  expect((await back.json()).AuthData.Customer.IdCustomer).not.toBe(owner.Customer.IdCustomer);
  expect(
    await database.execute(sql`select 1 from link where customer_id = ${owner.Customer.IdCustomer}`),
  ).toMatchObject({ rowCount: 0 });
});

test("another app's access token, an invented one and somebody else's id are refused", async () => {
  const person = freshPerson();
  const theirs = await social.facebookProof({ ...person, AppId: "999" });
  const good = await social.facebookProof(person);
  for (const fields of [
    theirs,
    { AccessToken: "invented", FacebookCustomerId: good["FacebookCustomerId"] },
    { AccessToken: good["AccessToken"], FacebookCustomerId: "1" },
    { AccessToken: `${good["AccessToken"]}x`, FacebookCustomerId: good["FacebookCustomerId"] },
  ])
    await expectRefused(await social.signInFacebook(fields));
  expect(await database.select().from(customers).where(eq(customers.email, person.Email))).toEqual([]);
});

test("neither kind of proof is accepted in place of the other", async () => {
  const { fields, cookie } = await social.googleProof();
  const token = await social.facebookProof();
  await expectRefused(
    await social.signInFacebook({ AccessToken: fields["IdToken"], FacebookCustomerId: fields["GoogleCustomerId"] }),
  );
  await expectRefused(await tryToken(token["AccessToken"] ?? "", cookie, token["FacebookCustomerId"]));
});

test("a page of another site cannot sign anybody in", async () => {
  const proof = await social.googleProof();
  const response = await social.signInGoogle(proof, { origin: "https://evil.example", "sec-fetch-site": "cross-site" });
  expect(response.status).toBe(403);
});

test("with rate limits on, invalid proofs are limited and valid ones do not count", async () => {
  const limited = await openTestProduct({ RATE_LIMITS: "on" });
  const tools = socialTools(limited);
  for (let good = 0; good < 3; good += 1) await tools.enterFacebook();
  for (let bad = 0; bad < 100; bad += 1)
    await expect(limited.call(signInWithFacebook, { AccessToken: "x", FacebookCustomerId: "1" })).rejects.toThrow(
      "401",
    );
  await expect(limited.call(signInWithGoogle, { IdToken: "x", GoogleCustomerId: "1" })).rejects.toThrow("429");
  for (let nonce = 0; nonce < 300; nonce += 1) await limited.call(issueNonce);
  await expect(limited.call(issueNonce)).rejects.toThrow("429");
});
