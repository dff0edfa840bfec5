import { createHash, randomInt } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { createServer } from "#app/server.ts";
import { createAutologinLink } from "#identity/sign-in/autologin.server.ts";
import { openDatabase } from "#platform/database/database.server.ts";
import { createLog } from "#platform/log.server.ts";
import {
  enter,
  form,
  freshEmail,
  guestForm,
  mailedToken,
  password,
  registrationForm,
  runJobs,
} from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const limited = await openTestProduct({ RATE_LIMITS: "on" });
const { database, databaseUrl, settings, product, call } = limited;

/** A second process on the same database, as far as the limits can tell. */
const otherDatabase = openDatabase(databaseUrl);
const other = createServer({
  settings,
  database: otherDatabase,
  log: createLog("silent"),
  assetsOf: () => ({ script: "", styles: [], preload: [], fonts: [] }),
});
afterAll(() => otherDatabase.$client.end());

/** A client address nobody has used in this run. */
const freshAddress = () => `10.${[1, 2, 3].map(() => randomInt(256)).join(".")}`;

const send = (
  line: string,
  fields: object,
  address: string,
  headers: Record<string, string> = {},
  process = product,
) => {
  const [method = "POST", path = ""] = line.split(" ");
  const request = new Request(new URL(`/api/${path}`, settings.publicUrl), { ...form(fields), method, headers });
  return process.fetch(request, { address });
};
const post = (path: string, fields: object, address: string, process: typeof product = product) =>
  send(`POST ${path}`, fields, address, {}, process);
const signIn = (Email: string, Password: string, address: string, process = product) =>
  post("authentification/email", { Email, Password }, address, process);
const statuses = async (responses: (Response | Promise<Response>)[]) =>
  (await Promise.all(responses)).map((response) => response.status);
/** Many calls, ten at a time: all at once some would time out waiting for a connection of the pool. */
async function repeat(times: number, ask: (place: number) => Response | Promise<Response>): Promise<number[]> {
  const codes: number[] = [];
  while (codes.length < times) {
    const few = Math.min(10, times - codes.length);
    codes.push(...(await statuses(Array.from({ length: few }, (_, i) => ask(codes.length + i)))));
  }
  return codes;
}
const count = (list: number[], status: number) => list.filter((one) => one === status).length;
/** Ends the period of every rate limit. */
const passTime = () => database.$client.query("update rate_limit set expire = 0 where key not like '%+:%'");

test("after ten failures on an account, from any network and through any process, a sign-in is refused with Retry-After", async () => {
  const { email } = await enter(call);
  for (let i = 0; i < 10; i += 1) {
    const response = await signIn(email, "wrong-1", freshAddress(), i % 2 ? product : other);
    expect(response.status).toBe(401);
  }
  const refused = await signIn(email, password, freshAddress(), other);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("60");
  expect(await refused.json()).toMatchObject({ code: "too_many" });
});

test("the waits grow up to four hours, and the right password ends them", async () => {
  const { email } = await enter(call);
  const waits = [];
  for (let round = 0; round < 6; round += 1) {
    for (let i = 0; i < 10; i += 1) expect((await signIn(email, "wrong-1", freshAddress())).status).toBe(401);
    waits.push(Number((await signIn(email, "wrong-1", freshAddress())).headers.get("retry-after")));
    await passTime();
  }
  expect(waits).toEqual([60, 240, 960, 3_840, 14_400, 14_400]);
  expect((await signIn(email, password, freshAddress())).status).toBe(200);
  for (let i = 0; i < 10; i += 1) await signIn(email, "wrong-1", freshAddress());
  expect((await signIn(email, "wrong-1", freshAddress())).headers.get("retry-after")).toBe("60");
}, 60_000);

test("of a hundred concurrent guesses ten are checked", async () => {
  const { email } = await enter(call);
  const codes = await statuses(
    Array.from({ length: 100 }, (_, i) => signIn(email, "wrong-1", freshAddress(), i % 2 ? product : other)),
  );
  expect([count(codes, 401), count(codes, 429)]).toEqual([10, 90]);
});

test("an unknown email address is limited like a known one", async () => {
  const email = freshEmail();
  for (let i = 0; i < 10; i += 1) expect((await signIn(email, "wrong-1", freshAddress())).status).toBe(401);
  expect((await signIn(email, "wrong-1", freshAddress())).status).toBe(429);
});

test("guesses at many accounts are limited after 300 failures of a client address, and a right password does not clear them", async () => {
  const mine = await enter(call);
  const address = freshAddress();
  for (let i = 0; i < 10; i += 1) {
    expect(await repeat(30, () => signIn(freshEmail(), "123456", address))).toEqual(Array(30).fill(401));
    if (i < 9) expect((await signIn(mine.email, password, address)).status).toBe(200);
  }
  expect((await signIn(freshEmail(), "123456", address)).status).toBe(429);
  expect((await signIn(mine.email, password, freshAddress())).status).toBe(200);
}, 120_000);

test("a client address waits a quarter of an hour at most, however often it had too many failures", async () => {
  const address = freshAddress();
  for (let round = 0; round < 2; round += 1) {
    expect(count(await repeat(300, () => signIn(freshEmail(), "123456", address)), 401)).toBe(300);
    const refused = await signIn(freshEmail(), "123456", address);
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(60);
    expect(wait).toBeLessThanOrEqual(15 * 60);
    await passTime();
  }
}, 120_000);

test("a known device signs in while its client address has too many failures", async () => {
  const { email } = await enter(call);
  const address = freshAddress();
  const first = await signIn(email, password, address);
  const device = first.headers.getSetCookie().find((cookie) => cookie.startsWith("auth.device=")) ?? "";
  await repeat(300, () => signIn(freshEmail(), "123456", address));
  expect((await signIn(email, password, address)).status).toBe(429);
  const again = send("POST authentification/email", { Email: email, Password: password }, address, {
    cookie: device.split(";")[0] ?? "",
  });
  expect((await again).status).toBe(200);
}, 120_000);

test("many customers behind one client address may sign in, despite some wrong passwords", async () => {
  const address = freshAddress();
  const people = await Promise.all(Array.from({ length: 5 }, () => enter(call)));
  for (const { email } of people) {
    expect((await signIn(email, "wrong-1", address)).status).toBe(401);
    expect((await signIn(email, "wrong-1", address)).status).toBe(401);
    expect((await signIn(email, "wrong-1", address)).status).toBe(401);
    expect((await signIn(email, password, address)).status).toBe(200);
  }
});

test("a refused account does not count against its client address", async () => {
  const address = freshAddress();
  const blocked = freshEmail();
  for (let i = 0; i < 10; i += 1) await signIn(blocked, "wrong-1", freshAddress());
  const refused = await repeat(150, () => signIn(blocked, "wrong-1", address));
  expect(count(refused, 429)).toBe(150);
  expect((await signIn(freshEmail(), "wrong-1", address)).status).toBe(401);
});

test("a forged X-Forwarded-For makes no new client", async () => {
  const address = freshAddress();
  const ask = (i: number) =>
    send("POST customer/email/available", { Email: freshEmail() }, address, { "x-forwarded-for": `203.0.113.${i}` });
  expect(count(await statuses(Array.from({ length: 60 }, (_, i) => ask(i))), 200)).toBe(60);
  expect((await ask(99)).status).toBe(429);
});

test("an IPv6 network is one client, however many addresses it has", async () => {
  const ask = (address: string) => post("customer/email/available", { Email: freshEmail() }, address);
  const near = Array.from({ length: 60 }, (_, i) => ask(`2001:db8:1:2::${i.toString(16)}`));
  expect(count(await statuses(near), 200)).toBe(60);
  expect((await ask("2001:0db8:0001:0002:ffff:1:2:3")).status).toBe(429);
  expect((await ask("2001:db8:1:3::1")).status).toBe(200);
});

test("guessing the current password with a stolen session is limited like a sign-in", async () => {
  const { Token } = await enter(call);
  const guess = () =>
    product.fetch(
      new Request(new URL("/api/customer/password", settings.publicUrl), {
        ...form({ CurrentPassword: "wrong-1", Password: "nouveau-1", ConfirmPassword: "nouveau-1" }),
        headers: { authorization: `Bearer ${Token}` },
      }),
      { address: freshAddress() },
    );
  for (let i = 0; i < 10; i += 1) expect((await guess()).status).toBe(400);
  expect((await guess()).status).toBe(429);
});

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

test("after a reset the owner may sign in, no matter whose guesses had locked the account", async () => {
  const { email } = await enter(call);
  for (let i = 0; i < 11; i += 1) await signIn(email, "wrong-1", freshAddress());
  await post("customer/password/forget", { Email: email }, freshAddress());
  await runJobs(database, product.jobs);
  const reset = { Token: await mailedToken(database, email), Password: "nouveau-1", ConfirmPassword: "nouveau-1" };
  expect((await post("customer/password/reset", reset, freshAddress())).status).toBe(200);
  expect((await signIn(email, "nouveau-1", freshAddress())).status).toBe(200);
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
