import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createAutologinLink } from "#identity/sign-in/autologin/autologin.server.ts";
import { count, freshAddress, openLimitedProduct, repeat, statuses } from "#testing/limits.server.ts";
import { enter, freshEmail, guestForm, password, registrationForm } from "#testing/people.server.ts";

const limited = await openLimitedProduct();
const { call, database, post, send, settings, signIn } = limited;

test("forget: five an hour for an account, known or not; a client address may ask for two hundred accounts", async () => {
  const known = await enter(call);
  for (const Email of [known.email, freshEmail()]) {
    for (let i = 0; i < 5; i += 1)
      expect((await post("customer/password/forget", { Email }, freshAddress())).status).toBe(200);
    const refused = await post("customer/password/forget", { Email }, freshAddress());
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_500);
  }
  const address = freshAddress();
  const spread = await repeat(202, () => post("customer/password/forget", { Email: freshEmail() }, address));
  expect([count(spread, 200), count(spread, 429)]).toEqual([200, 2]);
});

test("a code: five an hour for an account, known or not; wrong ones count for the client address alone", async () => {
  const known = await enter(call);
  for (const Email of [known.email, freshEmail()]) {
    for (let i = 0; i < 5; i += 1)
      expect((await post("authentification/code/send", { Email }, freshAddress())).status).toBe(200);
    expect((await post("authentification/code/send", { Email }, freshAddress())).status).toBe(429);
  }
  const address = freshAddress();
  const guesses = await repeat(302, () =>
    post("authentification/code", { Email: known.email, Code: "000000" }, address),
  );
  expect([count(guesses, 401), count(guesses, 429)]).toEqual([300, 2]);
  // Wrong codes do not keep anybody from the password, nor the other way round.
  expect((await signIn(known.email, password, address)).status).toBe(200);
  expect((await post("authentification/code", { Email: known.email, Code: "000000" }, freshAddress())).status).toBe(
    401,
  );
});

test("a change of address: five an hour for a customer, and five emails an hour to a new address", async () => {
  const ask = (Token: string, Email: string) =>
    send("POST customer/email", { Email }, freshAddress(), { authorization: `Bearer ${Token}` });
  const { Token } = await enter(call);
  for (let i = 0; i < 5; i += 1) expect((await ask(Token, freshEmail())).status).toBe(200);
  expect((await ask(Token, freshEmail())).status).toBe(429);
  const target = freshEmail();
  for (let i = 0; i < 5; i += 1) expect((await ask((await enter(call)).Token, target)).status).toBe(200);
  expect((await ask((await enter(call)).Token, target)).status).toBe(429);
});

test("email/available: 60 a minute for a client", async () => {
  const address = freshAddress();
  const codes = await statuses(
    Array.from({ length: 70 }, () => post("customer/email/available", { Email: freshEmail() }, address)),
  );
  expect([count(codes, 200), count(codes, 429)]).toEqual([60, 10]);
});

test("registration: 200 an hour for a client address, guests included, mistakes in the form excluded", async () => {
  const address = freshAddress();
  for (let i = 0; i < 5; i += 1)
    expect((await post("customer", registrationForm({ Password: "short" }), address)).status).toBe(400);
  // Mostly guests: a password costs a hash.
  const codes = await repeat(202, (i) => post("customer", i % 10 ? guestForm() : registrationForm(), address));
  expect([count(codes, 200), count(codes, 429)]).toEqual([200, 2]);
});

test("failed uses of links are limited together; valid links do not count", async () => {
  const address = freshAddress();
  const { email } = await enter(call);
  for (let i = 0; i < 40; i += 1) {
    const url = new URL((await createAutologinLink(database, settings, email)) ?? "");
    const fields = { Email: email, Token: url.searchParams.get("token") };
    expect((await post("customer/autologin", fields, address)).status).toBe(200);
  }
  const Token = "x".repeat(43);
  for (let i = 0; i < 34; i += 1) {
    expect((await post("customer/autologin", { Email: email, Token }, address)).status).toBe(409);
    expect((await post("customer/email/verify", { Token }, address)).status).toBe(409);
    if (i < 32) expect((await post("customer/password/validate", { Token }, address)).status).toBe(409);
  }
  const reset = { Token, Password: "nouveau-1", ConfirmPassword: "nouveau-1" };
  expect((await post("customer/password/reset", reset, address)).status).toBe(429);
});

test("a confirmation is mailed again five times an hour at most", async () => {
  const { Token } = await enter(call);
  const resend = () =>
    limited.fetch("/api/customer/email/resend", { method: "POST", headers: { authorization: `Bearer ${Token}` } });
  const codes = [];
  for (let i = 0; i < 6; i += 1) codes.push((await resend()).status);
  expect(codes).toEqual([200, 200, 200, 200, 200, 429]);
});

test.each([
  ["POST customer", "customer_email", 200, () => guestForm()],
  ["POST customer/email/available", "customer_email", 60, () => ({ Email: freshEmail() })],
  ["POST customer/password/forget", "graphile_worker._private_jobs", 5, () => ({ Email: "away@exemple.fr" })],
  ["POST customer/email/verify", "link_token", 100, () => ({ Token: "x".repeat(43) })],
  ["POST customer/social/nonce", "social_nonce", 300, () => ({})],
  ["POST authentification/email", "customer_email", 10, () => ({ Email: "away@exemple.fr", Password: "wrong-1" })],
] as const)("a failure of ours in %s does not count against the rate limit", async (line, table, limit, fields) => {
  const address = freshAddress();
  const [schema, name] = table.includes(".") ? table.split(".") : ["public", table];
  await database.$client.query(`alter table ${schema}.${name} rename to ${name}_away`);
  const codes = await repeat(limit, () => send(line, fields(), address)).finally(() =>
    database.$client.query(`alter table ${schema}.${name}_away rename to ${name}`),
  );
  expect(count(codes, 500)).toBe(limit);
  expect([200, 401, 409]).toContain((await send(line, fields(), address)).status);
});

test.each([
  ["POST customer/email/resend", "link", {}],
  ["POST customer/password", "mail", { CurrentPassword: password, Password: password, ConfirmPassword: password }],
])("a failure of ours in %s does not count against the account's rate limit", async (line, table, fields) => {
  const { Token } = await enter(call);
  const headers = { authorization: `Bearer ${Token}` };
  await database.$client.query(`alter table ${table} rename to ${table}_away`);
  const codes = await statuses(Array.from({ length: 5 }, () => send(line, fields, freshAddress(), headers))).finally(
    () => database.$client.query(`alter table ${table}_away rename to ${table}`),
  );
  expect(count(codes, 500)).toBe(5);
  expect((await send(line, fields, freshAddress(), headers)).status).toBe(200);
});

test("the rate limits' table contains no email and no client address", async () => {
  const address = freshAddress();
  await signIn(freshEmail(), "wrong-1", address);
  await post("customer/password/forget", { Email: freshEmail() }, address);
  const { rows } = await database.$client.query<{ key: string }>("select key from rate_limit");
  expect(rows.length).toBeGreaterThan(1);
  for (const { key } of rows) expect(key).toMatch(/^[a-z-]+\+?:[\w-]{43}$/);
});

test("the rate limits' table cannot be searched for a known address", async () => {
  const email = freshEmail();
  const address = freshAddress();
  await signIn(email, "wrong-1", address);
  await post("customer/password/forget", { Email: email }, address);
  const { rows } = await database.$client.query<{ key: string }>("select key from rate_limit");
  const keys = rows.map(({ key }) => key.split(":")[1]);
  for (const known of [email, address])
    expect(keys).not.toContain(createHash("sha256").update(known).digest("base64url"));
});
