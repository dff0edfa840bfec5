import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import {
  addPasskey,
  changeEmail,
  changePassword,
  eraseCustomer,
  exportCustomer,
  linkFacebook,
  listPasskeys,
  passkeyOptions,
  passkeySignInOptions,
  readCustomer,
  removePasskey,
  renamePasskey,
  resetPassword,
  signInWithEmail,
  signInWithPasskey,
  stopEmailChange,
  unlinkSocial,
  validateReset,
  verifyEmail,
} from "#identity/calls.ts";
import {
  emailsTo,
  enter,
  form,
  freshEmail,
  guestForm,
  mailedToken,
  password,
  resetLinks,
} from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { createAuthenticator } from "#testing/services/authenticator.server.ts";
import { freshPerson, socialTools } from "#testing/services/social.server.ts";

const product = await openTestProduct();
const { call, as, fetch, database, settings } = product;
const social = socialTools(product);
const { origin } = settings.publicUrl;
const fresh = { Password: "nouveau-1", ConfirmPassword: "nouveau-1" };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const askForLink = resetLinks({ call, database, jobs: product.product.jobs });
const post = (path: string, fields: object, token?: string) =>
  fetch(`/api/${path}`, { ...form(fields), ...(token && { headers: bearer(token) }) });
const codeOf = async (response: Response) => [response.status, (await response.json()).code];

/** A verified customer with a passkey. */
async function enterWithPasskey() {
  const owner = await enter(call);
  const asOwner = as(owner.Token);
  await asOwner(verifyEmail, { Token: await mailedToken(database, owner.email, "/account/email") });
  const authenticator = createAuthenticator({ origin });
  const Response = authenticator.create(await asOwner(passkeyOptions));
  const { Passkeys } = await asOwner(addPasskey, { Response, Name: "Mon téléphone" });
  return { ...owner, as: asOwner, id: owner.Customer.IdCustomer, authenticator, Passkeys };
}

type Authenticator = ReturnType<typeof createAuthenticator>;
const signIn = async (authenticator: Authenticator, more: object = {}) =>
  post("authentification/passkey", {
    Response: authenticator.get(await call(passkeySignInOptions), more),
  });

test("a passkey is added, named, used, renamed and removed, and nothing tells one customer from another before", async () => {
  const owner = await enterWithPasskey();
  expect(owner.Passkeys).toMatchObject([{ Name: "Mon téléphone", LastUsedAt: null }]);
  const options = await call(passkeySignInOptions);
  expect(options).toMatchObject({ rpId: "localhost", userVerification: "required" });
  expect(options).not.toHaveProperty("allowCredentials");
  const { AuthData } = await call(signInWithPasskey, { Response: owner.authenticator.get(options) });
  expect(AuthData.Customer.IdCustomer).toBe(owner.id);
  const { Passkeys } = await as(AuthData.Token)(listPasskeys);
  expect(Passkeys).toMatchObject([{ Name: "Mon téléphone", LastUsedAt: expect.stringMatching(/^\d{4}-/) }]);
  const id = Passkeys[0]?.IdPasskey ?? 0;
  expect((await owner.as(renamePasskey, { id, Name: "Ma clé" })).Passkeys).toMatchObject([{ Name: "Ma clé" }]);
  expect((await owner.as(exportCustomer)).Passkeys).toMatchObject([{ IdPasskey: id, Name: "Ma clé" }]);
  expect(await owner.as(removePasskey, { id })).toEqual({ Passkeys: [] });
  expect(await codeOf(await signIn(owner.authenticator))).toEqual([401, "passkey_invalid"]);
});

test.each([
  ["fr", "Une clé d’accès a été ajoutée à votre compte"],
  ["en", "A passkey has been added to your account"],
  ["de", "Ihrem Konto wurde ein Passkey hinzugefügt"],
])("adding a passkey is mailed to the customer, in %s", async (LanguageIsoCode, subject) => {
  const owner = await enter(call);
  const Response = createAuthenticator({ origin }).create(await as(owner.Token)(passkeyOptions));
  await as(owner.Token)(addPasskey, { Response, LanguageIsoCode });
  expect((await emailsTo(database, owner.email)).at(-1)?.content.subject).toBe(subject);
});

test("a new passkey needs the password, or a sign-in of the last five minutes", async () => {
  const owner = await enter(call);
  await database.execute(sql`update session set proved_at = now() - interval '6 minutes'
    where customer_id = ${owner.Customer.IdCustomer}`);
  expect(await codeOf(await post("customer/passkey/options", {}, owner.Token))).toEqual([401, "proof_needed"]);
  expect((await post("customer/passkey/options", { Password: "faux-mot" }, owner.Token)).status).toBe(400);
  const options = await as(owner.Token)(passkeyOptions, { Password: password });
  expect(options).toMatchObject({
    rp: { id: "localhost", name: "Cercle" },
    user: { name: owner.email, displayName: "Léa Martin" },
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  await as(owner.Token)(addPasskey, { Response: createAuthenticator({ origin }).create(options) });
  const guest = await enter(call, guestForm());
  expect(await codeOf(await post("customer/passkey/options", {}, guest.Token))).toEqual([403, "forbidden"]);
});

test("a challenge works once, for what it was issued, in the session it was issued to", async () => {
  const owner = await enter(call);
  const other = await enter(call);
  const authenticator = createAuthenticator({ origin });
  const add = (Response: string, token: string) => post("customer/passkey", { Response }, token);
  const elsewhere = await call(signInWithEmail, { Email: owner.email, Password: password });
  for (const token of [other.Token, elsewhere.AuthData.Token])
    expect(await codeOf(await add(authenticator.create(await as(owner.Token)(passkeyOptions)), token))).toEqual([
      401,
      "passkey_invalid",
    ]);
  // A challenge of the sign-in makes no passkey.
  expect((await add(authenticator.create(await call(passkeySignInOptions)), owner.Token)).status).toBe(401);
  expect((await add(authenticator.create({ challenge: "aW52ZW50ZWQ" }), owner.Token)).status).toBe(401);
  const Response = authenticator.create(await as(owner.Token)(passkeyOptions));
  expect((await add(Response, owner.Token)).status).toBe(200);
  expect((await add(Response, owner.Token)).status).toBe(401);
  expect(
    (await emailsTo(database, owner.email)).filter(({ content: email }) => /clé/.test(email.subject ?? "")),
  ).toHaveLength(1);
  const used = authenticator.get(await call(passkeySignInOptions));
  const all = await Promise.all(
    Array.from({ length: 6 }, async () => (await post("authentification/passkey", { Response: used })).status),
  );
  expect(all.sort()).toEqual([200, 401, 401, 401, 401, 401]);
  const old = await call(passkeySignInOptions);
  await database.execute(sql`update webauthn_challenge set expires_at = now() - interval '1 second'`);
  expect((await post("authentification/passkey", { Response: authenticator.get(old) })).status).toBe(401);
});

test.each([
  ["another site", { origin: "https://evil.example", rpId: "localhost" }],
  ["another relying party", { origin, rpId: "evil.example" }],
  ["nobody verified", { origin, verifies: false }],
])("a response from %s is refused, when adding and when signing in", async (_what, made) => {
  const owner = await enterWithPasskey();
  const Response = createAuthenticator(made).create(await owner.as(passkeyOptions));
  expect(await codeOf(await post("customer/passkey", { Response }, owner.Token))).toEqual([401, "passkey_invalid"]);
  expect(await codeOf(await signIn(createAuthenticator(made)))).toEqual([401, "passkey_invalid"]);
});

test("a copied authenticator is noticed: its counter must grow", async () => {
  const { authenticator } = await enterWithPasskey();
  expect((await signIn(authenticator, { count: 7 })).status).toBe(200);
  expect((await signIn(authenticator, { count: 7 })).status).toBe(401);
  expect((await signIn(authenticator, { count: 8 })).status).toBe(200);
});

test.each(["", "{}", "[]", "null", '"x"', '{"response":{}}', '{"response":{"clientDataJSON":"e30"}}'])(
  "a malformed response is refused: %s",
  async (Response) => {
    const { Token } = await enter(call);
    for (const [path, token] of [["customer/passkey", Token], ["authentification/passkey"]] as const)
      expect((await post(path, { Response }, token)).status).toBe(Response === "" ? 400 : 401);
  },
);

test("one passkey opens one account, and twenty are the most", async () => {
  const owner = await enterWithPasskey();
  const other = await enter(call);
  const again = owner.authenticator.create(await as(other.Token)(passkeyOptions));
  expect(await codeOf(await post("customer/passkey", { Response: again }, other.Token))).toEqual([
    409,
    "passkey_known",
  ]);
  expect((await as(other.Token)(listPasskeys)).Passkeys).toEqual([]);
  for (let n = 1; n < 20; n += 1)
    await owner.as(addPasskey, { Response: createAuthenticator({ origin }).create(await owner.as(passkeyOptions)) });
  const Response = createAuthenticator({ origin }).create(await owner.as(passkeyOptions));
  expect(await codeOf(await post("customer/passkey", { Response }, owner.Token))).toEqual([409, "passkey_limit"]);
});

test("the last way in cannot be removed, nor somebody else's passkey", async () => {
  const { Token } = await social.enterFacebook(freshPerson());
  const asSocial = as(Token);
  const authenticator = createAuthenticator({ origin });
  const { Passkeys } = await asSocial(addPasskey, { Response: authenticator.create(await asSocial(passkeyOptions)) });
  const id = Passkeys[0]?.IdPasskey ?? 0;
  const other = await enter(call);
  for (const method of ["DELETE", "PUT"]) {
    const stranger = await fetch(`/api/customer/passkey/${id}`, {
      ...form({ Name: "x" }),
      method,
      headers: bearer(other.Token),
    });
    expect(stranger.status).toBe(404);
  }
  // Two removals at once leave one way in.
  const removed = await Promise.allSettled([
    asSocial(removePasskey, { id }),
    asSocial(unlinkSocial, { provider: "facebook" }),
  ]);
  expect(removed.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect((await asSocial(readCustomer)).SocialLogins.length + (await asSocial(listPasskeys)).Passkeys.length).toBe(1);
});

test("a customer with nothing but a passkey erases the account after a sign-in with it", async () => {
  const { Token } = await social.enterFacebook(freshPerson());
  const authenticator = createAuthenticator({ origin });
  await as(Token)(addPasskey, { Response: authenticator.create(await as(Token)(passkeyOptions)) });
  await as(Token)(unlinkSocial, { provider: "facebook" });
  await database.execute(sql`update session set proved_at = now() - interval '6 minutes'`);
  await expect(as(Token)(eraseCustomer)).rejects.toThrow("401");
  const { AuthData } = await (await signIn(authenticator)).json();
  await as(AuthData.Token)(eraseCustomer);
  expect((await signIn(authenticator)).status).toBe(401);
});

test("a reset says how many passkeys remain, and removes them when asked to", async () => {
  const owner = await enterWithPasskey();
  const first = await askForLink(owner.email);
  expect(await call(validateReset, { Token: first })).toMatchObject({ Passkeys: 1 });
  await call(resetPassword, { Token: first, ...fresh });
  expect((await signIn(owner.authenticator)).status).toBe(200);
  await call(resetPassword, { Token: await askForLink(owner.email), ...fresh, RemovePasskeys: true });
  expect((await signIn(owner.authenticator)).status).toBe(401);
});

test("a reset of an account with an unconfirmed address removes its passkeys", async () => {
  const planted = await enter(call);
  const authenticator = createAuthenticator({ origin });
  await as(planted.Token)(addPasskey, { Response: authenticator.create(await as(planted.Token)(passkeyOptions)) });
  const Token = await askForLink(planted.email);
  expect(await call(validateReset, { Token })).not.toHaveProperty("Passkeys");
  await call(resetPassword, { Token, ...fresh });
  expect((await signIn(authenticator)).status).toBe(401);
});

test("anyone who stops a change of address also loses what was added since, and keeps what was there before", async () => {
  const owner = await enterWithPasskey();
  await owner.as(changeEmail, { Email: freshEmail("voleur") });
  const thief = createAuthenticator({ origin });
  await owner.as(addPasskey, { Response: thief.create(await owner.as(passkeyOptions)) });
  await owner.as(linkFacebook, await social.facebookProof(freshPerson()));
  await call(stopEmailChange, { Token: await mailedToken(database, owner.email, "/account/email/stop") });
  expect((await signIn(thief)).status).toBe(401);
  const { AuthData } = await (await signIn(owner.authenticator)).json();
  expect(AuthData.Customer).toMatchObject({ SocialLogins: [], HasPassword: false });
});

test("no passkey is added after a reset or a change of the password, however fast a stranger tries", async () => {
  for (const end of ["reset", "change"] as const) {
    const owner = await enter(call);
    const thief = (await call(signInWithEmail, { Email: owner.email, Password: password })).AuthData.Token;
    await as(owner.Token)(verifyEmail, { Token: await mailedToken(database, owner.email, "/account/email") });
    const link = await askForLink(owner.email);
    const made: Authenticator[] = [];
    let going = true;
    const loops = Array.from({ length: 6 }, async () => {
      while (going) {
        const options = await post("customer/passkey/options", {}, thief);
        expect(options.status).toBeLessThan(500);
        if (options.status !== 200) continue;
        const authenticator = createAuthenticator({ origin });
        const response = await post(
          "customer/passkey",
          { Response: authenticator.create(await options.json()) },
          thief,
        );
        expect(response.status).toBeLessThan(500);
        if (response.status === 200) made.push(authenticator);
      }
    });
    await expect.poll(() => made.length, { interval: 1 }).toBeGreaterThan(2);
    const before = made.length;
    if (end === "reset") await call(resetPassword, { Token: link, ...fresh, RemovePasskeys: true });
    else await as(owner.Token)(changePassword, { CurrentPassword: password, ...fresh });
    const after = (await database.execute(sql`select from passkey where customer_id = ${owner.Customer.IdCustomer}`))
      .rowCount;
    going = false;
    await Promise.all(loops);
    const { rowCount } = await database.execute(
      sql`select from passkey where customer_id = ${owner.Customer.IdCustomer}`,
    );
    // Nothing was added after it; a change keeps what was there, as the customer's list shows.
    expect(rowCount).toBe(end === "reset" ? 0 : after);
    expect(before).toBeGreaterThan(0);
  }
});
