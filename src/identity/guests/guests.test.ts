import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import {
  changePassword,
  editCustomer,
  exportCustomer,
  readCustomer,
  register,
  resendVerification,
  resetPassword,
  signInWithEmail,
  verifyEmail,
} from "#identity/calls.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { postalAddresses } from "#identity/customer/postal-address.tables.server.ts";
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

const { call, as, fetch, database, product } = await openTestProduct();
const newPassword = { Password: "nouveau-1", ConfirmPassword: "nouveau-1" };
const gone = "Unexpected status code: 401";

const recordsOf = (email: string) => database.select().from(customers).where(eq(customers.email, email));
const addressesOf = (customerId: number) =>
  database.select().from(postalAddresses).where(eq(postalAddresses.customerId, customerId));

const askForLink = resetLinks({ call, database, jobs: product.jobs });

test("a guest is stored with the postal address, without a password, and may read their own record", async () => {
  const { Customer, Token } = await enter(call, guestForm({ Address2: "Bât. C", MobilePhone: "0612345678" }));
  expect(Customer).toMatchObject({
    Guest: true,
    HasPassword: false,
    EmailVerified: false,
    MobilePhone: "+33612345678",
  });
  expect(await as(Token)(readCustomer)).toEqual(Customer);
  const { Addresses } = await as(Token)(exportCustomer);
  expect(Addresses).toMatchObject([
    { Address1: "12 rue des Lilas", Address2: "Bât. C", Postcode: "75011", City: "Paris", CountryIsoCode: "FR" },
  ]);
});

test("a guest's country decides how the phone is parsed, and defaults to France", async () => {
  const { Customer } = await enter(call, guestForm({ CountryIsoCode: "de", MobilePhone: "030 1234567" }));
  expect(Customer.MobilePhone).toBe("+49301234567");
  const { CountryIsoCode: _, ...rest } = guestForm();
  const guest = await enter(call, rest);
  expect((await addressesOf(guest.Customer.IdCustomer))[0]?.country).toBe("FR");
});

test("a guest's form reports every missing field; a street needs more than three characters, a name does not", async () => {
  const bare = await fetch("/api/customer", form({ Guest: true, Email: freshEmail(), Firstname: "Li", Lastname: "O" }));
  expect((await bare.json()).errors.map(({ field }: { field: string }) => field)).toEqual([
    "Address1",
    "Postcode",
    "City",
  ]);
  const short = await fetch("/api/customer", form(guestForm({ Address1: "rue" })));
  expect((await short.json()).errors).toEqual([
    { field: "Address1", code: "too_short", message: "La longueur doit être supérieure à 3 caractères" },
  ]);
});

test("the address of a registered customer gives a guest no token and overwrites nothing", async () => {
  const owner = await enter(call);
  const response = await fetch("/api/customer", form(guestForm({ Email: owner.email, Firstname: "Eve" })));
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ code: "email_taken" });
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(await recordsOf(owner.email)).toMatchObject([{ firstname: "Léa", guest: false }]);
});

test("a returning guest gets a record of their own and sees nothing of the earlier one", async () => {
  const Email = freshEmail("guest");
  const first = await enter(call, guestForm({ Email }));
  const second = await enter(call, guestForm({ Email, Address1: "99 avenue Foch" }));
  expect(second.Customer.IdCustomer).not.toBe(first.Customer.IdCustomer);
  expect((await as(second.Token)(exportCustomer)).Addresses).toMatchObject([{ Address1: "99 avenue Foch" }]);
});

test("registering with a guest's address registers a new customer; the guest record is merged once the address is confirmed", async () => {
  const Email = freshEmail("guest");
  const guest = await enter(call, guestForm({ Email }));
  const customer = await enter(call, registrationForm({ Email }));
  expect(await recordsOf(Email)).toHaveLength(2);
  expect((await as(customer.Token)(exportCustomer)).Addresses).toEqual([]);

  await as(customer.Token)(verifyEmail, { Token: await mailedToken(database, Email) });
  expect(await recordsOf(Email)).toMatchObject([{ id: customer.Customer.IdCustomer, guest: false }]);
  expect((await as(customer.Token)(exportCustomer)).Addresses).toMatchObject([{ Address1: "12 rue des Lilas" }]);
  await expect(as(guest.Token)(readCustomer)).rejects.toThrow(gone);
});

test("a guest who asks for a password is mailed a link that turns the newest record into a customer", async () => {
  const Email = freshEmail("guest");
  const older = await enter(call, guestForm({ Email, Address1: "1 rue Ancienne" }));
  const newer = await enter(call, guestForm({ Email }));
  const Token = await askForLink(Email);
  expect((await emailsTo(database, Email)).map(({ content: mail }) => mail.subject)).toEqual([
    "Choisissez votre mot de passe",
  ]);
  await call(resetPassword, { Token, ...newPassword });

  const { AuthData } = await call(signInWithEmail, { Email, Password: newPassword.Password });
  expect(AuthData.Customer).toMatchObject({
    IdCustomer: newer.Customer.IdCustomer,
    Guest: false,
    HasPassword: true,
    EmailVerified: true,
  });
  expect(await recordsOf(Email)).toHaveLength(1);
  expect(await addressesOf(AuthData.Customer.IdCustomer)).toHaveLength(2);
  for (const token of [older.Token, newer.Token]) await expect(as(token)(readCustomer)).rejects.toThrow(gone);
});

test("a guest may ask for that link themselves, and cannot set a password without it", async () => {
  const guest = await enter(call, guestForm());
  await expect(as(guest.Token)(changePassword, newPassword)).rejects.toThrow("Unexpected status code: 403");
  await as(guest.Token)(resendVerification);
  await call(resetPassword, { Token: await mailedToken(database, guest.email), ...newPassword });
  await call(signInWithEmail, { Email: guest.email, Password: newPassword.Password });
});

test("a guest's link is refused once somebody has registered the address", async () => {
  const guest = await enter(call, guestForm());
  await as(guest.Token)(resendVerification);
  const Token = await mailedToken(database, guest.email);
  const owner = await enter(call, registrationForm({ Email: guest.email }));
  const response = await fetch("/api/customer/password/reset", form({ Token, ...newPassword }));
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ code: "email_taken" });
  await call(signInWithEmail, { Email: owner.email, Password: password });
});

test("a guest may correct their own record, and stays a guest", async () => {
  const guest = await enter(call, guestForm());
  const edited = await as(guest.Token)(editCustomer, { Firstname: "Noée", Lastname: "Petit" });
  expect(edited).toMatchObject({ Firstname: "Noée", Guest: true });
});

test("a guest's form ignores opt-ins and the club", async () => {
  const { AuthData } = await call(register, guestForm({ NewletterActive: true, LoyaltySubscribe: true }));
  expect(AuthData.Customer).toMatchObject({ NewsletterSubscribe: false, LoyaltySubscribe: false });
});

test("two guests of one address who set a password concurrently become one customer, without a deadlock", async () => {
  for (let round = 0; round < 5; round += 1) {
    const Email = freshEmail("guest");
    await enter(call, guestForm({ Email }));
    const older = await askForLink(Email);
    await enter(call, guestForm({ Email }));
    const newer = await askForLink(Email);
    const responses = await Promise.all(
      [newer, older].map((Token) => fetch("/api/customer/password/reset", form({ Token, ...newPassword }))),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await recordsOf(Email)).toMatchObject([{ guest: false }]);
  }
});
