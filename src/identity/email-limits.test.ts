import { randomInt } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { emailsTo, enter, form, freshEmail, guestForm, password, registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { socialTools } from "#testing/services/social.server.ts";

/**
 * A stranger registers with another person's address, which no one confirms. Whatever they then do in a loop, the owner
 * of the address gets only a few mails.
 */
const limited = await openTestProduct({ RATE_LIMITS: "on" });
const { database, settings, product, call } = limited;

/** Sends from another network each time. */
async function send(line: string, fields: object, token = ""): Promise<Response> {
  const [method = "POST", path = ""] = line.split(" ");
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const request = new Request(new URL(`/api/${path}`, settings.publicUrl), { ...form(fields), method, headers });
  return product.fetch(request, { address: `10.${[1, 2, 3].map(() => randomInt(256)).join(".")}` });
}

const tokenOf = async (response: Response): Promise<string> => (await response.json()).AuthData.Token;
const emailsOf = async (email: string) => (await emailsTo(database, email)).length;

test("a password is changed five times an hour at most, and each change is mailed once", async () => {
  const { email, Token } = await enter(call);
  const before = await emailsOf(email);
  const responses: Response[] = [];
  for (let i = 0; i < 7; i += 1) {
    const [CurrentPassword, Password] = [i, i + 1].map((n) => (n === 0 ? password : `secret-${n}`));
    responses.push(
      await send("POST customer/password", { CurrentPassword, Password, ConfirmPassword: Password }, Token),
    );
    if (responses.at(-1)?.status !== 200) break;
  }
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
  expect(Number(responses.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(3_500);
  expect(await emailsOf(email)).toBe(before + 5);
});

test("a wrong password does not count as a change", async () => {
  const { Token } = await enter(call);
  const change = { Password: "nouveau-1", ConfirmPassword: "nouveau-1" };
  for (let i = 0; i < 6; i += 1)
    expect((await send("POST customer/password", { ...change, CurrentPassword: "wrong-1" }, Token)).status).toBe(400);
  expect((await send("POST customer/password", { ...change, CurrentPassword: password }, Token)).status).toBe(200);
});

test("any number of guests with one address are mailed its link five times an hour at most", async () => {
  const Email = freshEmail();
  const statuses = [];
  for (let i = 0; i < 8; i += 1) {
    const Token = await tokenOf(await send("POST customer", guestForm({ Email })));
    statuses.push((await send("POST customer/email/resend", {}, Token)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  expect(await emailsOf(Email)).toBe(5);
});

test("guests registered and erased in a loop cause five mails an hour at most, and all are erased", async () => {
  const Email = freshEmail();
  for (let i = 0; i < 8; i += 1) {
    const Token = await tokenOf(await send("POST customer", guestForm({ Email })));
    expect((await send("DELETE customer", {}, Token)).status).toBe(200);
    expect((await send("POST customer/email/resend", {}, Token)).status).toBe(401);
  }
  expect(await emailsOf(Email)).toBe(5);
});

test("an account registered and erased in a loop is registered five times an hour at most", async () => {
  const Email = freshEmail();
  const statuses = [];
  for (let i = 0; i < 7; i += 1) {
    const registered = await send("POST customer", registrationForm({ Email, LoyaltySubscribe: true }));
    statuses.push(registered.status);
    if (registered.status !== 200) continue;
    await send("DELETE customer", { Password: password }, await tokenOf(registered));
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
});

test("a refused registration of a taken address does not count", async () => {
  const { email } = await enter(call);
  for (let i = 0; i < 7; i += 1)
    expect((await send("POST customer", registrationForm({ Email: email }))).status).toBe(409);
});

test.each([
  ["nothing to an address that nobody confirmed", false, 0],
  ["one letter to a confirmed address", true, 1],
])("joining and leaving the club in a loop mails %s", async (_, confirmed, count) => {
  const { email, Token } = await enter(call);
  if (confirmed)
    await database.update(customers).set({ emailVerifiedAt: new Date() }).where(eq(customers.email, email));
  const before = await emailsOf(email);
  for (let i = 0; i < 8; i += 1) {
    expect((await send("POST loyalty/subscribe", { LoyaltyCustomerState: true }, Token)).status).toBe(200);
    expect((await send("POST loyalty/unsubscribe", {}, Token)).status).toBe(200);
  }
  expect((await emailsOf(email)) - before).toBe(count);
});

test("a social login is linked ten times an hour at most", async () => {
  const tools = socialTools(limited);
  const { Token } = await enter(call);
  const statuses = [];
  for (let i = 0; i < 11; i += 1) {
    const proof = await tools.facebookProof();
    statuses.push((await send("POST customer/social/facebook", proof, Token)).status);
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
});
