import { expect, test } from "vitest";
import { openTestTill } from "#testing/till.server.ts";
import * as calls from "#till/calls.ts";

const { addCustomer, fetch, openShop, openTill, pairTill, product, settings } = await openTestTill();

const contract = Object.assign({}, ...product.contracts) as (typeof product.contracts)[number];
const tillCalls = Object.entries(contract).filter(([, { access }]) => access === "till" || access === "till staff");
const customerCalls = Object.entries(contract).filter(([, { access }]) => access === "customer");
const keyCalls = Object.entries(contract).filter(([, { access }]) => access.endsWith("key"));

const shop = await openShop();
const customer = await addCustomer();
const { cookies: pairedOnly } = await pairTill(shop.shopId);
const { cookies } = await openTill(shop.shopId);
const device = `till.device=${cookies.get("till.device")}`;
const person = `till.staff=${cookies.get("till.staff")}`;
type Headers = Record<string, string>;
const ownOrigin = { origin: settings.publicUrl.origin };

/** The code of the refusal; what is refused later, for its input, was let in. */
async function refusedWith(line: string, headers: Headers, body?: URLSearchParams): Promise<string> {
  const [method = "", path = ""] = line.split(" ");
  const response = await fetch(`/api/${path.replace(/\{\w+\}/g, "1")}`, {
    ...{ method, headers },
    ...(body && method !== "GET" && { body }),
  });
  return response.status === 200 ? "let in" : (await response.json()).code;
}
const refusedBefore = ["not_paired", "pin_required", "cross_site", "not_signed_in", "key_invalid"];

test.each(tillCalls)("%s is opened by the cookies of a till alone, from our own pages", async (line, { access }) => {
  const withPerson = access === "till staff";
  const strangers: [string, Headers, string][] = [
    ["nobody", {}, "not_paired"],
    ["a customer's session", { cookie: `auth.token=${customer.token}` }, "not_paired"],
    ["a customer's bearer", { authorization: `Bearer ${customer.token}` }, "not_paired"],
    ["a key of the same shop", { authorization: `Bearer ${shop.key}` }, "not_paired"],
    [
      "a key in the till's cookie",
      { cookie: `till.device=${shop.key.slice("cercle_".length).replace("_", ".")}` },
      "not_paired",
    ],
    ["a person without a device", { cookie: person }, "not_paired"],
    [
      "the device's secret as a bearer",
      { authorization: `Bearer cercle_${device.slice(12).replace(".", "_")}` },
      "not_paired",
    ],
    [
      "another device",
      { cookie: `till.device=${pairedOnly.get("till.device")}; ${person}` },
      withPerson ? "pin_required" : "",
    ],
    ["nobody signed in", { cookie: device }, withPerson ? "pin_required" : ""],
  ];
  for (const [who, headers, expected] of strangers)
    if (expected)
      expect({ who, code: await refusedWith(line, { ...headers, ...ownOrigin }) }).toEqual({ who, code: expected });
  const both = { cookie: `${device}; ${person}` };
  if (!line.startsWith("GET "))
    for (const origin of [{}, { origin: "https://evil.example" }, { "sec-fetch-site": "same-site" }] as Headers[])
      expect(await refusedWith(line, { ...both, ...origin })).toBe("cross_site");
  // Those that end the session are called last, elsewhere.
  if (line === calls.unpair || line === calls.lock) return;
  expect(refusedBefore).not.toContain(await refusedWith(line, { ...both, ...ownOrigin }));
});

test.each(customerCalls)("%s is not opened by a till", async (line) => {
  const headers = { cookie: `${device}; ${person}`, ...ownOrigin };
  expect(await refusedWith(line, headers)).toBe("not_signed_in");
});

test.each(keyCalls)("%s is not opened by a till, nor by its secret as a bearer", async (line) => {
  const bearer = { authorization: `Bearer cercle_${device.slice("till.device=".length).replace(".", "_")}` };
  const body = new URLSearchParams({ CardNumber: "2900000000001" });
  for (const headers of [{ cookie: `${device}; ${person}` }, bearer] as Headers[])
    expect(await refusedWith(line, { ...headers, ...ownOrigin }, body)).toBe("key_invalid");
});

test("a malformed id is refused", async () => {
  const headers = { cookie: `${device}; ${person}`, ...ownOrigin };
  for (const id of ["0", "-1", "4.0", "NaN", "9223372036854775808", "1e9", "0x4", "４", "4 "]) {
    const body = new URLSearchParams({ IdStaff: id, Pin: "482913" });
    const signedIn = await fetch("/api/till/sign-in", { method: "POST", headers, body });
    const shown = await fetch(`/api/till/receipt?${new URLSearchParams({ ReceiptNumber: "1", IdShop: id })}`, {
      headers,
    });
    for (const response of [signedIn, shown]) expect({ id, status: response.status }).toEqual({ id, status: 400 });
  }
});
