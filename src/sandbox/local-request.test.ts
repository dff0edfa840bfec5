import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { createListener } from "#app/process/listener.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const { fetch, product } = await openTestProduct();
const withSandboxOn = await openTestProduct({ SANDBOX: "on", PUBLIC_URL: "https://club.example", HOST: "0.0.0.0" });

const addresses = [
  "/sandbox/mailbox",
  "/sandbox/mailbox.json?to=lea@exemple.fr",
  "/sandbox/mailbox/1",
  "/sandbox/google/keys",
  "/sandbox/google/.well-known/openid-configuration",
  "/sandbox/facebook/sdk.js",
  "/sandbox/shop/fr/account/orders",
  "/sandbox/sandbox.css",
];

test.each([
  { forwarded: "for=203.0.113.7" },
  { "x-forwarded-for": "203.0.113.7" },
  { "x-forwarded-for": "127.0.0.1" },
  { "x-forwarded-for": "" },
  { "x-forwarded-host": "localhost" },
  { "x-forwarded-proto": "https" },
  { "x-real-ip": "127.0.0.1" },
  { via: "1.1 proxy" },
  { host: "evil.example" },
  { host: "evil.example:3000" },
  { host: "localhost.evil.example" },
  { host: "127.0.0.1.evil.example" },
  { host: "localhost@evil.example" },
  { host: "192.168.1.20:3000" },
  { host: "[::2]:3000" },
  { host: "%" },
  { host: "" },
] as Record<string, string>[])("the sandbox does not respond to a request with %j", async (headers) => {
  for (const address of addresses) {
    const response = await fetch(address, { headers });
    expect(response.status, address).toBe(404);
    const page = await response.text();
    // The same page as for any unknown address.
    expect(page).toContain("Page Not Found");
  }
  const token = { method: "POST", body: new URLSearchParams({ Email: "lea@exemple.fr" }), headers };
  expect((await fetch("/sandbox/google/token", token)).status).toBe(404);
  expect((await fetch("/sandbox/facebook/token", token)).status).toBe(404);
});

test.each(["localhost", "localhost:3000", "LOCALHOST:80", "127.0.0.1:3000", "127.8.9.1", "[::1]:3000"])(
  "the sandbox responds to %s",
  async (host) => {
    expect((await fetch("/sandbox/mailbox", { headers: { host } })).status).toBe(200);
  },
);

test("with SANDBOX=on the sandbox also responds to the public name, and to no other", async () => {
  expect((await withSandboxOn.fetch("/sandbox/mailbox", { headers: { host: "club.example" } })).status).toBe(200);
  expect((await withSandboxOn.fetch("/sandbox/mailbox", { headers: { host: "club.example:8443" } })).status).toBe(200);
  expect((await withSandboxOn.fetch("/sandbox/mailbox", { headers: { host: "localhost" } })).status).toBe(200);
  expect((await withSandboxOn.fetch("/sandbox/mailbox", { headers: { host: "other.example" } })).status).toBe(404);
  const proxied = { host: "club.example", "x-forwarded-for": "203.0.113.7" };
  expect((await withSandboxOn.fetch("/sandbox/mailbox", { headers: proxied })).status).toBe(404);
});

test("the product itself reaches the sandbox, also for a request through a proxy", async () => {
  const issued = await fetch("/sandbox/facebook/token", {
    method: "POST",
    body: new URLSearchParams({ Email: "nina@exemple.fr", Firstname: "Nina", Lastname: "Roux" }),
  });
  const { AccessToken, FacebookCustomerId } = await issued.json();
  const signedIn = await fetch("/api/authentification/facebook", {
    method: "POST",
    body: new URLSearchParams({ AccessToken, FacebookCustomerId }),
    headers: { host: "club.example", "x-forwarded-for": "203.0.113.7" },
  });
  expect(signedIn.status).toBe(200);
});

const server = createListener(product.fetch);
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.close();
});

test.each([
  ["GET /sandbox/mailbox HTTP/1.1\r\nhost: localhost", 200],
  ["GET /sandbox/mailbox HTTP/1.1\r\nhost: evil.example", 404],
  ["GET http://localhost/sandbox/mailbox HTTP/1.1\r\nhost: evil.example", 404],
  ["GET http://evil.example/sandbox/mailbox HTTP/1.1\r\nhost: localhost", 404],
  ["GET /sandbox/mailbox HTTP/1.1\r\nhost: localhost\r\nX-Forwarded-For: 127.0.0.1", 404],
])("over a real connection: %s", async (head, status) => {
  const client = connect(port, "127.0.0.1");
  client.write(`${head}\r\nconnection: close\r\n\r\n`);
  expect(await text(client)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});
