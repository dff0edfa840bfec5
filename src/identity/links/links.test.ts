import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { autologin, readCustomer, resendVerification, verifyEmail } from "#identity/calls.ts";
import { createAutologinLink } from "#identity/sign-in/autologin/autologin.server.ts";
import { emailsTo, enter, form, freshEmail, guestForm, mailedToken } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const { call, as, fetch, database, settings } = await openTestProduct();

async function autologinFor(email: string): Promise<{ url: URL; Email: string; Token: string }> {
  const url = new URL((await createAutologinLink(database, settings, email)) ?? "");
  return { url, Email: url.searchParams.get("email") ?? "", Token: url.searchParams.get("token") ?? "" };
}

const follow = (fields: object) => fetch("/api/customer/autologin", form(fields));

test("an autologin link signs its customer in, once", async () => {
  const { email, Customer } = await enter(call);
  const { url, Email, Token } = await autologinFor(` ${email.toUpperCase()}`);
  expect(`${url.origin}${url.pathname}`).toBe("http://localhost:3000/account/autologin");
  const { AuthData } = await call(autologin, { Email, Token });
  expect(AuthData.Customer).toEqual(Customer);
  await as(AuthData.Token)(readCustomer);
  expect((await follow({ Email, Token })).status).toBe(409);
});

test("whatever is wrong with an autologin, the refusal is the same and a valid link stays valid", async () => {
  const one = await enter(call);
  const other = await enter(call);
  const mine = await autologinFor(one.email);
  const theirs = await autologinFor(other.email);
  const verify = await mailedToken(database, one.email);
  const attempts = [
    { Email: other.email, Token: mine.Token },
    { Email: one.email, Token: theirs.Token },
    { Email: freshEmail(), Token: mine.Token },
    { Email: one.email, Token: other.Token },
    { Email: one.email, Token: verify },
    { Email: one.email, Token: "x".repeat(43) },
    { Email: "no address", Token: mine.Token },
    { Email: one.email, Token: "x".repeat(1_000) },
    { Email: `${"x".repeat(1_000)}@exemple.fr`, Token: mine.Token },
  ];
  const bodies = new Set<string>();
  for (const attempt of attempts) {
    const response = await follow(attempt);
    expect(response.status).toBe(409);
    expect(response.headers.getSetCookie()).toEqual([]);
    const { instance: _, ...body } = await response.json();
    bodies.add(JSON.stringify(body));
  }
  expect(bodies.size).toBe(1);
  expect(JSON.parse([...bodies][0] ?? "")).toMatchObject({ code: "link_expired" });
  await call(autologin, { Email: mine.Email, Token: mine.Token });
  await call(autologin, { Email: theirs.Email, Token: theirs.Token });
});

test("of ten concurrent autologins with one link one succeeds", async () => {
  const { email } = await enter(call);
  const { Email, Token } = await autologinFor(email);
  const responses = await Promise.all(Array.from({ length: 10 }, () => follow({ Email, Token })));
  expect(responses.map((response) => response.status).sort()).toEqual([200, ...Array(9).fill(409)]);
});

test("an expired autologin link is refused", async () => {
  const { email, Customer } = await enter(call);
  const { Email, Token } = await autologinFor(email);
  await database.execute(sql`update link set expires_at = now() where customer_id = ${Customer.IdCustomer}`);
  expect((await follow({ Email, Token })).status).toBe(409);
});

test("the web shop may exchange a session it has, a guest's too; that session stays valid", async () => {
  for (const shopper of [await enter(call), await enter(call, guestForm())]) {
    const { AuthData } = await call(autologin, { Email: shopper.email, Token: shopper.Token });
    expect(AuthData.Token).not.toBe(shopper.Token);
    expect(AuthData.Customer).toEqual(shopper.Customer);
    await as(shopper.Token)(readCustomer);
  }
});

test("a session's token that nobody confirmed is refused, a one-time link is not", async () => {
  const { email, Token } = await enter(call);
  const unconfirmed = await follow({ Email: email, Token, LinkOnly: true });
  expect(unconfirmed.status).toBe(409);
  expect(await unconfirmed.json()).toMatchObject({ code: "confirmation_needed" });
  expect(unconfirmed.headers.getSetCookie()).toEqual([]);
  const link = await autologinFor(email);
  expect((await follow({ Email: link.Email, Token: link.Token, LinkOnly: true })).status).toBe(200);
});

test("an unknown address and a guest's have no autologin link", async () => {
  const guest = await enter(call, guestForm());
  expect(await createAutologinLink(database, settings, freshEmail())).toBeUndefined();
  expect(await createAutologinLink(database, settings, guest.email)).toBeUndefined();
});

test("the confirmation link verifies the address, once, and the welcome is mailed", async () => {
  const { email, Token } = await enter(call);
  const token = await mailedToken(database, email);
  const customer = await as(Token)(verifyEmail, { Token: token });
  expect(customer).toMatchObject({ Email: email, EmailVerified: true });
  expect(await as(Token)(readCustomer)).toEqual(customer);
  expect((await emailsTo(database, email)).at(-1)?.content.subject).toBe("Bienvenue chez Cercle");
  const again = await fetch("/api/customer/email/verify", form({ Token: token }));
  expect(again.status).toBe(409);
  expect(await again.json()).toMatchObject({ code: "link_expired" });
});

test("ten concurrent confirmations mail one welcome", async () => {
  const { email, Token: session } = await enter(call);
  const Token = await mailedToken(database, email);
  const headers = { authorization: `Bearer ${session}` };
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => fetch("/api/customer/email/verify", { ...form({ Token }), headers })),
  );
  expect(responses.map((response) => response.status).sort()).toEqual([200, ...Array(9).fill(409)]);
  expect(await emailsTo(database, email)).toHaveLength(2);
});

test("a confirmation sent again replaces the first, and a verified address is not mailed again", async () => {
  const { email, Token } = await enter(call);
  const first = await mailedToken(database, email);
  await as(Token)(resendVerification);
  const second = await mailedToken(database, email);
  expect(second).not.toBe(first);
  expect((await fetch("/api/customer/email/verify", form({ Token: first }))).status).toBe(409);
  await as(Token)(verifyEmail, { Token: second });
  const before = (await emailsTo(database, email)).length;
  await as(Token)(resendVerification);
  expect(await emailsTo(database, email)).toHaveLength(before);
});
