import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import {
  linkFacebook,
  readCustomer,
  resetPassword,
  signInWithEmail,
  validateReset,
  verifyEmail,
} from "#identity/calls.ts";
import { emailsTo, enter, form, mailedToken, password, resetLinks } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { freshPerson, socialTools } from "#testing/services/social.server.ts";

const product = await openTestProduct();
const { call, as, fetch, database } = product;
const social = socialTools(product);
const fresh = { Password: "nouveau-1", ConfirmPassword: "nouveau-1" };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const askForLink = resetLinks({ call, database, jobs: product.product.jobs });

const stale = (customerId: number) =>
  database.execute(sql`update session set proved_at = now() - interval '6 minutes' where customer_id = ${customerId}`);

test.each([
  ["fr", "Pour votre sécurité, saisissez votre mot de passe ou reconnectez-vous."],
  ["en", "For your security, enter your password or sign in again."],
  ["de", "Geben Sie zu Ihrer Sicherheit Ihr Passwort ein oder melden Sie sich erneut an."],
])("more than five minutes after the sign-in, linking needs the password, in %s", async (LanguageIsoCode, detail) => {
  const owner = await enter(call);
  await stale(owner.Customer.IdCustomer);
  const proof = await social.facebookProof(freshPerson());
  const link = (more: object) =>
    fetch("/api/customer/social/facebook", {
      ...form({ ...proof, LanguageIsoCode, ...more }),
      headers: bearer(owner.Token),
    });
  const refused = await link({});
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({
    code: "proof_needed",
    detail,
    errors: [{ field: "Password", code: "required" }],
  });
  expect((await link({ Password: "faux-mot" })).status).toBe(400);
  expect((await as(owner.Token)(readCustomer)).SocialLogins).toEqual([]);
  expect((await link({ Password: password })).status).toBe(200);
  expect((await as(owner.Token)(readCustomer)).SocialLogins).toEqual(["facebook"]);
});

test("a session that began with an exchange does not count as a sign-in", async () => {
  const owner = await enter(call);
  const { AuthData } = await (
    await fetch("/api/customer/autologin", form({ Email: owner.email, Token: owner.Token }))
  ).json();
  const proof = await social.facebookProof(freshPerson());
  await expect(as(AuthData.Token)(linkFacebook, proof)).rejects.toThrow("401");
  await as(owner.Token)(linkFacebook, proof);
});

test("a customer without a password who signed in long ago must sign in again to link another account", async () => {
  const { Customer, Token } = await social.enterGoogle(freshPerson());
  await stale(Customer.IdCustomer);
  const response = await fetch("/api/customer/social/facebook", {
    ...form({ ...(await social.facebookProof(freshPerson())), Password: "anything" }),
    headers: bearer(Token),
  });
  expect(response.status).toBe(401);
  const problem = await response.json();
  expect(problem.code).toBe("proof_needed");
  expect(problem.errors).toBeUndefined();
});

test.each([
  ["fr", "Un compte Facebook a été associé au vôtre"],
  ["en", "A Facebook account has been linked to yours"],
  ["de", "Ein Facebook-Konto wurde mit Ihrem Konto verknüpft"],
])("linking an account is mailed to the customer, in %s", async (LanguageIsoCode, subject) => {
  const owner = await enter(call);
  const proof = await social.facebookProof(freshPerson());
  await as(owner.Token)(linkFacebook, { ...proof, LanguageIsoCode });
  const mails = (await emailsTo(database, owner.email)).filter(({ content: email }) => email.subject === subject);
  expect(mails).toHaveLength(1);
  // Linking the same account again mails nothing.
  await as(owner.Token)(linkFacebook, { ...proof, LanguageIsoCode });
  expect(await emailsTo(database, owner.email)).toHaveLength(2);
});

test("a reset lists the linked social logins, and removes them on request", async () => {
  const owner = await enter(call);
  await as(owner.Token)(verifyEmail, { Token: await mailedToken(database, owner.email) });
  expect(await call(validateReset, { Token: await askForLink(owner.email) })).not.toHaveProperty("SocialLogins");
  await as(owner.Token)(linkFacebook, await social.facebookProof(freshPerson()));
  const keeping = await askForLink(owner.email);
  expect(await call(validateReset, { Token: keeping })).toMatchObject({ SocialLogins: ["facebook"] });
  await call(resetPassword, { Token: keeping, ...fresh });
  const signIn = async () =>
    (await call(signInWithEmail, { Email: owner.email, Password: fresh.Password })).AuthData.Customer.SocialLogins;
  expect(await signIn()).toEqual(["facebook"]);
  await call(resetPassword, { Token: await askForLink(owner.email), ...fresh, UnlinkSocial: true });
  expect(await signIn()).toEqual([]);
});

test("a first password needs a sign-in of the last five minutes", async () => {
  const { Customer, Token } = await social.enterGoogle(freshPerson());
  await stale(Customer.IdCustomer);
  const set = () => fetch("/api/customer/password", { ...form(fresh), headers: bearer(Token) });
  const refused = await set();
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ code: "proof_needed" });
  await database.execute(sql`update session set proved_at = now() where customer_id = ${Customer.IdCustomer}`);
  expect((await set()).status).toBe(200);
});

test("a Google-type account that is linked by its address is mailed to the account's owner", async () => {
  const owner = await enter(call);
  await as(owner.Token)(verifyEmail, { Token: await mailedToken(database, owner.email) });
  await social.enterGoogle(freshPerson({ Email: owner.email }));
  expect((await emailsTo(database, owner.email)).at(-1)?.content.subject).toBe(
    "Un compte Google a été associé au vôtre",
  );
});
