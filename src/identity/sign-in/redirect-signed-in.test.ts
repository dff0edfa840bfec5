import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { sessions } from "#identity/session/session.tables.server.ts";
import { enter, guestForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const { call, fetch, database } = await openTestProduct();
const open = (path: string, token: string) => fetch(path, { headers: { cookie: `auth.token=${token}` } });

test.each([
  ["/authenticate/login", "/account"],
  ["/authenticate/register", "/account"],
  ["/de/authenticate/login", "/de/account"],
  ["/authenticate/login?loginGoTo=/account/loyalty/subscribe?state=used", "/account/loyalty/subscribe?state=used"],
  ["/en/authenticate/register?loginGoTo=/de/account", "/de/account"],
  ["/authenticate/login?loginGoTo=//evil.example", "/account/informations"],
  ["/authenticate/register?from=store", "/account/loyalty/subscribe"],
  ["/en/authenticate/login?from=store", "/en/account/loyalty/subscribe"],
])("somebody signed in who opens %s is redirected to %s", async (path, to) => {
  const { Token } = await enter(call);
  const response = await open(path, Token);
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toBe(to);
});

test("with an ended session every page ends at the form, without a redirect loop", async () => {
  const { Token, Customer } = await enter(call);
  await database.delete(sessions).where(eq(sessions.customerId, Customer.IdCustomer));
  const away = await open("/account", Token);
  expect(away.status).toBe(302);
  for (const path of [away.headers.get("location") ?? "", "/authenticate/login", "/authenticate/register?from=store"]) {
    const response = await open(path, Token);
    expect(response.status, path).toBe(200);
    expect(await response.text(), path).toContain('name="Email"');
  }
});

test("a guest may still sign in or register", async () => {
  const { Token } = await enter(call, guestForm());
  for (const path of ["/authenticate/login", "/authenticate/register", "/authenticate/register?from=store"])
    expect((await open(path, Token)).status, path).toBe(200);
});
