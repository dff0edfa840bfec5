import { expect, test } from "vitest";
import { readCustomer } from "#identity/calls.ts";
import { enter, form, password } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const { call, as, fetch } = await openTestProduct();
const gone = "Unexpected status code: 401";
const cleared = [/^auth\.token=; Max-Age=0; Path=\//, /^auth\.logout=; Max-Age=0; Path=\//];

test.each(["/", "/en", "/api/customer", "/healthz", "/favicon.ico"])(
  "a request to %s with the logout cookie ends the session and clears both cookies",
  async (path) => {
    const { Token } = await enter(call);
    const response = await fetch(path, { headers: { cookie: `auth.token=${Token}; auth.logout=1` } });
    const cookies = response.headers.getSetCookie();
    for (const pattern of cleared) expect(cookies.some((cookie) => pattern.test(cookie))).toBe(true);
    expect(response.headers.get("cache-control")).toBe("no-store");
    await expect(as(Token)(readCustomer)).rejects.toThrow(gone);
  },
);

test("the request with the logout cookie is handled as signed out, and keeps its other cookies", async () => {
  const { Token } = await enter(call);
  const cookie = `i18n_redirected=de; auth.token=${Token}; auth.logout=1`;
  const response = await fetch("/api/customer", { headers: { cookie } });
  expect(response.status).toBe(401);
  expect((await response.json()).detail).toBe("Melden Sie sich an, um fortzufahren.");
});

test("a sign-in that still has an old logout cookie ends the old session and keeps the new one", async () => {
  const { email, Token } = await enter(call);
  const response = await fetch("/api/authentification/email", {
    ...form({ Email: email, Password: password }),
    headers: { cookie: `auth.token=${Token}; auth.logout=1`, "sec-fetch-site": "same-origin" },
  });
  expect(response.status).toBe(200);
  const { AuthData } = await response.json();
  const tokens = response.headers.getSetCookie().filter((cookie) => cookie.startsWith("auth.token="));
  expect(tokens).toHaveLength(1);
  expect(tokens[0]).toContain(AuthData.Token);
  await as(AuthData.Token)(readCustomer);
  await expect(as(Token)(readCustomer)).rejects.toThrow(gone);
});

test.each(["0", "", "11"])("a logout cookie of %j is ignored", async (value) => {
  const { Token } = await enter(call);
  await fetch("/", { headers: { cookie: `auth.token=${Token}; auth.logout=${value}` } });
  await as(Token)(readCustomer);
});

test("a logout without a session, or with an invented one, only clears the cookies", async () => {
  for (const cookie of ["auth.logout=1", "auth.logout=1; auth.token=invented"])
    expect((await fetch("/healthz", { headers: { cookie } })).headers.getSetCookie()).toHaveLength(2);
});
