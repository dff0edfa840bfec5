import { expect, test } from "vitest";
import { count, freshAddress, openLimitedProduct, repeat, statuses } from "#testing/limits.server.ts";
import { enter, form, freshEmail, mailedToken, password, runJobs } from "#testing/people.server.ts";

const limited = await openLimitedProduct();
const { call, database, other, passTime, post, product, send, settings, signIn } = limited;

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
});

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
});

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
});

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
});

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

test("after a reset the owner may sign in, no matter whose guesses had locked the account", async () => {
  const { email } = await enter(call);
  for (let i = 0; i < 11; i += 1) await signIn(email, "wrong-1", freshAddress());
  await post("customer/password/forget", { Email: email }, freshAddress());
  await runJobs(database, product.jobs);
  const reset = { Token: await mailedToken(database, email), Password: "nouveau-1", ConfirmPassword: "nouveau-1" };
  expect((await post("customer/password/reset", reset, freshAddress())).status).toBe(200);
  expect((await signIn(email, "nouveau-1", freshAddress())).status).toBe(200);
});
