import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { listSessions, readCustomer, signInWithEmail, verifyEmail } from "#identity/calls.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import {
  emailsTo,
  enter,
  freshEmail,
  guestForm,
  mailedToken,
  password,
  registrationForm,
} from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { freshPerson, socialTools } from "#testing/services/social.server.ts";

const product = await openTestProduct();
const { call, as, database } = product;
const social = socialTools(product);
const gone = "Unexpected status code: 401";

const originOf = async (customerId: number) =>
  (await database.select().from(customers).where(eq(customers.id, customerId)))[0]?.origin;

test("a first Google-type sign-in registers a customer from the proof, and the next one finds them", async () => {
  const person = freshPerson();
  const response = await social.signInGoogle(await social.googleProof(person), { "accept-language": "de" });
  expect(response.status).toBe(200);
  const { AuthData } = await response.json();
  expect(AuthData.Customer).toMatchObject({
    Email: person.Email,
    Firstname: "Alix",
    Lastname: "Moreau",
    Birthday: null,
    LanguageIsoCode: "de",
    EmailVerified: true,
    HasPassword: false,
    SocialLogins: ["google"],
  });
  expect(await originOf(AuthData.Customer.IdCustomer)).toBe("google");
  const cookies = response.headers.getSetCookie();
  expect(cookies).toContainEqual(expect.stringMatching(/^auth\.token=[\w-]{43};.*HttpOnly/));
  expect(cookies).toContainEqual(expect.stringMatching(/^auth\.nonce=; Max-Age=0/));
  expect(cookies).toContainEqual(expect.stringMatching(/^auth\.social=google; (?!.*HttpOnly)/));
  expect((await emailsTo(database, person.Email)).map(({ content: email }) => email.subject)).toHaveLength(1);

  const again = await social.enterGoogle(person);
  expect(again.Customer).toEqual(AuthData.Customer);
  const { Sessions } = await as(again.Token)(listSessions);
  expect(Sessions.map(({ SocialProvider }) => SocialProvider)).toEqual(["google", "google"]);
});

test("a first Facebook-type sign-in registers a customer whose address is unverified", async () => {
  const person = freshPerson();
  const { Customer, Token } = await social.enterFacebook(person);
  expect(Customer).toMatchObject({
    Email: person.Email,
    EmailVerified: false,
    HasPassword: false,
    SocialLogins: ["facebook"],
  });
  expect(await originOf(Customer.IdCustomer)).toBe("facebook");
  await as(Token)(verifyEmail, { Token: await mailedToken(database, person.Email) });
  expect((await as(Token)(readCustomer)).EmailVerified).toBe(true);
  expect((await social.enterFacebook(person)).Customer.IdCustomer).toBe(Customer.IdCustomer);
});

test("an address that the Google-type provider has not verified is unverified here too", async () => {
  const { Customer } = await social.enterGoogle({ ...freshPerson(), Unverified: true });
  expect(Customer.EmailVerified).toBe(false);
});

test("a confirmed account is found by its address at the Google-type provider, keeps its password and is linked", async () => {
  const owner = await enter(call);
  await as(owner.Token)(verifyEmail, { Token: await mailedToken(database, owner.email) });
  const { Customer } = await social.enterGoogle(freshPerson({ Email: owner.email.toUpperCase() }));
  expect(Customer).toMatchObject({
    IdCustomer: owner.Customer.IdCustomer,
    HasPassword: true,
    SocialLogins: ["google"],
  });
  expect(Customer.Firstname).toBe(owner.Customer.Firstname);
  await as(owner.Token)(readCustomer);
  await call(signInWithEmail, { Email: owner.email, Password: password });
});

test("a Google-type sign-in merges the guest records of its address", async () => {
  const guest = await enter(call, guestForm());
  const { Customer } = await social.enterGoogle(freshPerson({ Email: guest.email }));
  expect(Customer.IdCustomer).not.toBe(guest.Customer.IdCustomer);
  await expect(as(guest.Token)(readCustomer)).rejects.toThrow(gone);
});

test.each([
  ["fr", "Un compte existe déjà avec cette adresse."],
  ["en", "There is already an account with this address."],
  ["de", "Mit dieser Adresse gibt es bereits ein Konto."],
])("a Facebook-type sign-in never links by itself, and says what to do in %s", async (language, detail) => {
  const owner = await enter(call);
  await as(owner.Token)(verifyEmail, { Token: await mailedToken(database, owner.email) });
  const proof = await social.facebookProof(freshPerson({ Email: owner.email }));
  const response = await social.signInFacebook(proof, { "accept-language": language });
  expect(response.status).toBe(409);
  const problem = await response.json();
  expect(problem.code).toBe("link_first");
  expect(problem.detail).toContain(detail);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect((await as(owner.Token)(readCustomer)).SocialLogins).toEqual([]);
});

test("a Google-type account with an unverified address does not link by itself either", async () => {
  const owner = await enter(call);
  const proof = await social.googleProof({ ...freshPerson({ Email: owner.email }), Unverified: true });
  const response = await social.signInGoogle(proof);
  expect(response.status).toBe(409);
  expect((await response.json()).code).toBe("link_first");
});

test.each([
  ["fr", "Votre adresse e-mail nous manque."],
  ["en", "We are missing your email address."],
  ["de", "Uns fehlt Ihre E‑Mail-Adresse."],
])("without a shared address there is no account, in %s", async (language, detail) => {
  const proof = await social.facebookProof({ ...freshPerson(), EmailHidden: true });
  const response = await social.signInFacebook(proof, { "accept-language": language });
  expect(response.status).toBe(409);
  const problem = await response.json();
  expect(problem.code).toBe("email_not_shared");
  expect(problem.detail).toContain(detail);
});

test("a linked customer signs in even after they stopped sharing their address, or changed it at the provider", async () => {
  const person = freshPerson();
  const { Customer } = await social.enterFacebook(person);
  const FacebookCustomerId = (await social.facebookProof(person))["FacebookCustomerId"];
  const hidden = await social.enterFacebook({ ...person, EmailHidden: true });
  const moved = await social.enterFacebook({ ...freshPerson(), FacebookCustomerId });
  expect([hidden.Customer.IdCustomer, moved.Customer.IdCustomer]).toEqual([Customer.IdCustomer, Customer.IdCustomer]);
  expect(moved.Customer.Email).toBe(person.Email);
});

test("hostile names are stored as one plain line, and a missing one is derived from the address", async () => {
  const { Customer } = await social.enterGoogle({
    Email: freshEmail(),
    Firstname: "  </script>\r\nBcc: x\u2028y ",
    Lastname: "é".repeat(500),
  });
  expect(Customer.Firstname).toBe("</script> Bcc: x y");
  expect([...Customer.Lastname]).toHaveLength(100);
  const nameless = await social.enterGoogle({ Email: "solo@exemple.fr" });
  expect(nameless.Customer).toMatchObject({ Firstname: "solo", Lastname: "" });
});

test.each([2, 12])("%i concurrent first sign-ins with the same identity register one customer", async (times) => {
  for (const provider of ["google", "facebook"] as const) {
    const person = freshPerson();
    const attempts = await Promise.all(
      Array.from({ length: times }, async () => {
        if (provider === "facebook") return social.facebookProof(person).then((fields) => ({ fields, cookie: "" }));
        return social.googleProof(person);
      }),
    );
    const responses = await Promise.all(
      attempts.map((proof) =>
        provider === "google" ? social.signInGoogle(proof) : social.signInFacebook(proof.fields),
      ),
    );
    expect(responses.map((response) => response.status)).toEqual(Array(times).fill(200));
    const ids = await Promise.all(
      responses.map(async (response) => (await response.json()).AuthData.Customer.IdCustomer),
    );
    expect(new Set(ids).size).toBe(1);
    expect(await database.select().from(customers).where(eq(customers.email, person.Email))).toHaveLength(1);
  }
});

test("a first social sign-in concurrent with a registration of the same address ends with one customer", async () => {
  const person = freshPerson();
  const proof = await social.googleProof(person);
  await Promise.allSettled([
    social.signInGoogle(proof),
    enter(call, registrationForm({ Email: person.Email })),
    social.enterGoogle(person),
  ]);
  expect(await database.select().from(customers).where(eq(customers.email, person.Email))).toHaveLength(1);
});

test("a sign-in with the password clears the provider's cookie", async () => {
  const owner = await enter(call);
  const response = await product.fetch("/api/authentification/email", {
    method: "POST",
    body: new URLSearchParams({ Email: owner.email, Password: password }),
    headers: { cookie: "auth.social=google" },
  });
  expect(response.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^auth\.social=; Max-Age=0/));
});

test("signing out clears the provider's cookie too", async () => {
  const { Token } = await social.enterGoogle();
  const cookie = `auth.token=${Token}; auth.logout=1; auth.social=google`;
  const response = await product.fetch("/", { headers: { cookie } });
  expect(response.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^auth\.social=; Max-Age=0/));
});
