import { expect, test } from "vitest";
import { register } from "#identity/calls.ts";
import { registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { createRenderedPages } from "./rendered-pages.server.ts";

test("the same data are rendered once a minute, and each document has its own nonce", () => {
  let now = 0;
  let rendered = 0;
  const page = createRenderedPages(() => now);
  const ask = (key: string, nonce: string) =>
    page(key, nonce, () => {
      rendered += 1;
      return `<script nonce="${nonce}">${key}</script><i nonce="${nonce}">`;
    }).toString();
  expect(ask("home", "n1")).toBe('<script nonce="n1">home</script><i nonce="n1">');
  expect(ask("home", "n2")).toBe('<script nonce="n2">home</script><i nonce="n2">');
  expect(rendered).toBe(1);
  expect(ask("other", "n3")).toContain("other");
  expect(rendered).toBe(2);
  now = 60_000;
  ask("home", "n4");
  expect(rendered).toBe(3);
});

test("addresses that no one else asks for do not fill the memory", () => {
  const page = createRenderedPages();
  let rendered = 0;
  const ask = (key: string) =>
    page(key, "nonce", () => {
      rendered += 1;
      return key;
    });
  for (let n = 0; n < 1_000; n += 1) ask(`/?n=${n}`);
  rendered = 0;
  for (let n = 0; n < 1_000; n += 1) ask(`/?n=${n}`);
  expect(rendered).toBeGreaterThan(900);
});

test("a visitor's page is the same document with a nonce of its own, and a customer's page is the customer's", async () => {
  const { fetch, call } = await openTestProduct();
  const get = async (headers: Record<string, string> = {}) => {
    const response = await fetch("/en", { headers });
    const policy = response.headers.get("content-security-policy") ?? "";
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    const html = await response.text();
    expect(html.match(/nonce="([^"]*)"/g)).toEqual(html.match(/nonce=/g)?.map(() => `nonce="${nonce}"`));
    return { nonce, html };
  };
  const [first, second] = [await get(), await get()];
  expect(second.nonce).not.toBe(first.nonce);
  expect(second.html).toBe(first.html.replaceAll(first.nonce, second.nonce));
  const { AuthData } = await call(register, registrationForm({ Firstname: "Clarisse" }));
  const own = await get({ cookie: `auth.token=${AuthData.Token}` });
  expect(own.html).toContain("Clarisse");
  expect((await get()).html).not.toContain("Clarisse");
});
