import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { enter, form, freshEmail, mailedToken, password, registrationForm, runJobs } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const { database, settings, product, call } = await openTestProduct({ RATE_LIMITS: "on" });

const freshAddress = () => `10.${[1, 2, 3].map(() => randomInt(256)).join(".")}`;

function send(line: string, fields: object, headers: Record<string, string> = {}): Promise<Response> {
  const [method = "POST", path = ""] = line.split(" ");
  const request = new Request(new URL(`/api/${path}`, settings.publicUrl), { ...form(fields), method, headers });
  return Promise.resolve(product.fetch(request, { address: freshAddress() }));
}

const signIn = (Email: string, Password: string, device = "") =>
  send("POST authentification/email", { Email, Password }, device ? { cookie: device } : {});

/** The device cookie that a response sets, as the browser sends it back. */
const deviceOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith("auth.device="))
    ?.split(";")[0] ?? "";

/** A customer with a device that has signed in before. */
async function owner() {
  const { email, Token } = await enter(call);
  const response = await signIn(email, password);
  expect(response.status).toBe(200);
  return { email, Token, device: deviceOf(response) };
}

async function guessFromEverywhere(email: string): Promise<void> {
  const responses = await Promise.all(Array.from({ length: 10 }, () => signIn(email, "wrong-1")));
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(401));
  expect((await signIn(email, "wrong-1")).status).toBe(429);
}

test("guesses from other networks do not lock out the owner on a device that has signed in before", async () => {
  const { email, device } = await owner();
  await guessFromEverywhere(email);
  expect((await signIn(email, password)).status).toBe(429);
  expect((await signIn(email, password, device)).status).toBe(200);
  // Nor do the owner's sign-ins give the strangers new guesses.
  expect((await signIn(email, "wrong-1")).status).toBe(429);
});

test("the device cookie is long-lived, HttpOnly, and no session", async () => {
  const { email, device } = await owner();
  const again = await signIn(email, password, device);
  const [cookie = ""] = again.headers.getSetCookie().filter((one) => one.startsWith("auth.device="));
  expect(cookie.split(";")[0]).toBe(device);
  expect(cookie).toMatch(/^auth\.device=[\w-]{22}\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
  const value = device.split("=")[1] ?? "";
  const ways = [
    ["cookie", device],
    ["cookie", `auth.token=${value}`],
    ["authorization", `Bearer ${value}`],
  ] as const;
  for (const [name, carried] of ways) {
    const headers = { [name]: carried };
    const asked = await product.fetch(new Request(new URL("/api/customer", settings.publicUrl), { headers }), {});
    expect(asked.status).toBe(401);
  }
});

test("under https the cookie is sent over https alone", async () => {
  const secure = await openTestProduct({ PUBLIC_URL: "https://cercle.example", SANDBOX: "on" });
  const response = await secure.fetch("/api/customer", form(registrationForm()));
  const [cookie] = response.headers.getSetCookie().filter((one) => one.startsWith("auth.device="));
  expect(cookie).toContain("; Secure");
});

test("a stolen device cookie allows ten guesses, then is refused", async () => {
  const { email, device } = await owner();
  for (let i = 0; i < 10; i += 1) expect((await signIn(email, "wrong-1", device)).status).toBe(401);
  const refused = await signIn(email, password, device);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  // The owner's other devices are not affected.
  expect((await signIn(email, password)).status).toBe(200);
});

test("a device cookie of another account, a forged or a broken one has no effect", async () => {
  const mine = await owner();
  const hers = await owner();
  await guessFromEverywhere(hers.email);
  const [id = "", mac = ""] = (hers.device.split("=")[1] ?? "").split(".");
  const other = mac.startsWith("A") ? "B" : "A";
  const forged = [
    mine.device,
    `auth.device=${id}.${other}${mac.slice(1)}`,
    `auth.device=${id}`,
    `auth.device=${id}.`,
    `auth.device=.${mac}`,
    `auth.device=${"x".repeat(5_000)}`,
    `auth.device=${id}.${mac}.${mac}`,
    "auth.device=%E0%A4%A",
  ];
  for (const device of forged) expect((await signIn(hers.email, password, device)).status, device).toBe(429);
  expect((await signIn(hers.email, password, hers.device)).status).toBe(200);
});

test("with a device cookie of another account, responses for a known and an unknown address are the same", async () => {
  const { email } = await owner();
  const { device } = await owner();
  for (const address of [email, freshEmail()]) {
    const responses = [];
    for (let i = 0; i < 11; i += 1) {
      const response = await signIn(address, "wrong-1", device);
      responses.push([response.status, (await response.json()).code, deviceOf(response)]);
    }
    expect(responses).toEqual([...Array(10).fill([401, "wrong_login", ""]), [429, "too_many", ""]]);
  }
});

test("a new password invalidates every earlier device cookie and issues one to the device that set it", async () => {
  const { email, Token, device } = await owner();
  const planted = deviceOf(await signIn(email, password));
  const change = { CurrentPassword: password, Password: "nouveau-1", ConfirmPassword: "nouveau-1" };
  const changed = await send("POST customer/password", change, { authorization: `Bearer ${Token}`, cookie: device });
  expect(changed.status).toBe(200);
  await guessFromEverywhere(email);
  for (const old of [planted, device]) expect((await signIn(email, "nouveau-1", old)).status).toBe(429);
  expect((await signIn(email, "nouveau-1", deviceOf(changed))).status).toBe(200);
});

test("after a reset the owner may sign in on that device while the guessing goes on", async () => {
  const { email } = await owner();
  await guessFromEverywhere(email);
  await send("POST customer/password/forget", { Email: email });
  await runJobs(database, product.jobs);
  const reset = { Token: await mailedToken(database, email), Password: "nouveau-1", ConfirmPassword: "nouveau-1" };
  const response = await send("POST customer/password/reset", reset);
  expect(response.status).toBe(200);
  await guessFromEverywhere(email);
  expect((await signIn(email, "nouveau-1", deviceOf(response))).status).toBe(200);
});

test("guesses elsewhere do not stop the owner from changing the password on a device with a device cookie", async () => {
  const { email, Token, device } = await owner();
  await guessFromEverywhere(email);
  const change = { CurrentPassword: password, Password: "nouveau-1", ConfirmPassword: "nouveau-1" };
  const headers = { authorization: `Bearer ${Token}` };
  expect((await send("POST customer/password", change, headers)).status).toBe(429);
  expect((await send("POST customer/password", change, { ...headers, cookie: device })).status).toBe(200);
});

test("the sign-in page reads and sets the device cookie without script", async () => {
  const { email, device } = await owner();
  await guessFromEverywhere(email);
  const submit = (cookie: string) =>
    product.fetch(
      new Request(new URL("/authenticate/login", settings.publicUrl), {
        ...form({ Email: email, Password: password }),
        headers: { origin: settings.publicUrl.origin, cookie },
        redirect: "manual",
      }),
      { address: freshAddress() },
    );
  expect((await submit("")).status).toBe(429);
  const entered = await submit(device);
  expect(entered.status).toBe(302);
  expect(deviceOf(entered)).toBe(device);
});

test("the cookie survives a logout", async () => {
  const { email, device } = await owner();
  const home = await product.fetch(
    new Request(new URL("/", settings.publicUrl), { headers: { cookie: `auth.logout=1; ${device}` } }),
    {},
  );
  expect(deviceOf(home)).toBe("");
  await guessFromEverywhere(email);
  expect((await signIn(email, password, device)).status).toBe(200);
});

test("an erasure clears the device cookie and the provider's", async () => {
  const { Token, device } = await owner();
  const headers = { authorization: `Bearer ${Token}`, cookie: `${device}; auth.social=google` };
  const erased = await send("DELETE customer", { Password: password }, headers);
  expect(erased.status).toBe(200);
  const cleared = erased.headers.getSetCookie().filter((cookie) => cookie.includes("Max-Age=0"));
  expect(cleared.map((cookie) => cookie.split("=")[0])).toEqual(
    expect.arrayContaining(["auth.token", "auth.device", "auth.social"]),
  );
});
