import { expect, test } from "vitest";
import { openTestProduct } from "#testing/product.server.ts";

const real = {
  SANDBOX: "off",
  SMTP_URL: "smtp://127.0.0.1:1",
  MAIL_FROM: "club@cercle.example",
  SHOP_URL: "https://shop.example",
};
const sandboxed = await openTestProduct();
const none = await openTestProduct(real);
const configured = await openTestProduct({
  ...real,
  GOOGLE_CLIENT_ID: "ours.google",
  FACEBOOK_APP_ID: "4004",
  FACEBOOK_APP_SECRET: "very-secret",
});

const pages = ["/authenticate/login", "/en/authenticate/register", "/de/authenticate/login"];
const policyOf = (response: Response) =>
  Object.fromEntries(
    (response.headers.get("content-security-policy") ?? "").split("; ").map((line) => {
      const [name = "", ...sources] = line.split(" ");
      return [name, sources.filter((source) => !source.startsWith("'nonce-"))];
    }),
  );

test.each(pages)("%s offers the providers that are configured, and no others", async (path) => {
  for (const [product, offered] of [
    [sandboxed, true],
    [configured, true],
    [none, false],
  ] as const) {
    const html = await (await product.fetch(path)).text();
    expect(html.includes(">Google</button>"), path).toBe(offered);
    expect(html.includes(">Facebook</button>"), path).toBe(offered);
    expect(html).not.toMatch(/<script[^>]+(google|facebook)/);
  }
});

test("a page contains the app's id and never its secret", async () => {
  const html = await (await configured.fetch("/authenticate/login")).text();
  expect(html).toContain("ours.google");
  expect(html).toContain("4004");
  expect(html).not.toContain("very-secret");
});

test("with one provider configured only that one is offered and named", async () => {
  const { fetch } = await openTestProduct({ ...real, GOOGLE_CLIENT_ID: "ours.google" });
  const html = await (await fetch("/authenticate/login")).text();
  expect(html).toContain("Rien n’est chargé depuis Google avant votre clic.");
  expect(html).not.toContain("Facebook");
});

test("the content security policy allows what the configured providers need, by path, and nothing else", async () => {
  const closed = policyOf(await none.fetch("/authenticate/login"));
  expect(policyOf(await sandboxed.fetch("/authenticate/login"))).toEqual(closed);
  expect(closed).toMatchObject({ "script-src": ["'self'"], "connect-src": ["'self'"] });
  expect(closed).not.toHaveProperty("frame-src");

  const opened = policyOf(await configured.fetch("/authenticate/login"));
  const services = ["https://accounts.google.com/gsi/", "https://graph.facebook.com", "https://*.facebook.com"];
  expect(opened).toEqual({
    ...closed,
    "script-src": [
      "'self'",
      "https://accounts.google.com/gsi/client",
      "https://connect.facebook.net/fr_FR/sdk.js",
      "https://connect.facebook.net/en_US/sdk.js",
      "https://connect.facebook.net/de_DE/sdk.js",
    ],
    "connect-src": ["'self'", ...services],
    "frame-src": services,
  });
});
