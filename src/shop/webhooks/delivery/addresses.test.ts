import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createLookup, refusesUrl } from "./addresses.server.ts";
import { post } from "./post.server.ts";

const outside = { sandbox: false };
const sandbox = { sandbox: true };

test.each([
  ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.9.9.9", "169.254.169.254"],
  ...["172.16.0.1", "172.31.255.255", "192.168.1.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "2130706433"],
  ...["0x7f.1", "017700000001", "[::]", "[::1]", "[::127.0.0.1]", "[::ffff:127.0.0.1]", "[::ffff:8.8.8.8]"],
  ...["[64:ff9b::a00:1]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[fc00::1]", "[fd12::1]", "[fe80::1]", "[ff02::1]"],
])("https://%s is refused", async (host) => {
  expect(refusesUrl(new URL(`https://${host}/`), outside)).toBe(true);
  const { error } = await post(new URL(`https://${host}/`), { headers: {}, body: "" }, outside);
  expect(error).toBe("ADDRESS_REFUSED");
});

test.each([
  ...["https://8.8.8.8/", "https://172.32.0.1/", "https://100.128.0.1/", "https://[2606:4700::1111]/"],
  ...["https://partner.example:8443/hook?a=b", "https://169.253.1.1/"],
])("%s is allowed", (url) => {
  expect(refusesUrl(new URL(url), outside)).toBe(false);
});

test.each([
  ...["http://partner.example/", "https://user:word@partner.example/", "https://user@partner.example/"],
  ...["ftp://partner.example/", "file:///etc/passwd", `https://partner.example/${"a".repeat(500)}`],
])("%s is refused", (url) => {
  expect(refusesUrl(new URL(url), outside)).toBe(true);
});

test("on the sandbox http and this machine are allowed, other private networks are not", () => {
  for (const url of ["http://partner.example/", "http://127.0.0.1:3000/", "https://[::1]/"])
    expect(refusesUrl(new URL(url), sandbox)).toBe(false);
  for (const url of ["http://10.0.0.1/", "http://169.254.169.254/", "http://[fd00::1]/"])
    expect(refusesUrl(new URL(url), sandbox)).toBe(true);
});

test("a name that leads to a refused address is refused when connecting, before a byte is sent", async () => {
  let connections = 0;
  const server = createServer().on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await post(new URL(`https://localhost:${port}/`), { headers: {}, body: "" }, outside);
  expect(answer).toMatchObject({ status: null, error: "ADDRESS_REFUSED" });
  expect(connections).toBe(0);
  server.close();
});

test("the connection gets the addresses that were checked", async () => {
  const found = (all: boolean) =>
    new Promise((resolve) => createLookup(sandbox)("localhost", { all, family: 4 }, (...given) => resolve(given)));
  expect(await found(true)).toEqual([null, [{ address: "127.0.0.1", family: 4 }]]);
  expect(await found(false)).toEqual([null, "127.0.0.1", 4]);
});
