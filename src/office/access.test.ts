import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { z } from "zod";
import { endpoint, staffRoles } from "#platform/api/endpoint.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import * as calls from "./sign-in/calls.ts";
import { readAudit } from "./team/calls.ts";

const { addCustomer, clock, database, fetch, openOffice, openShop, openTill, product, settings } =
  await openTestOffice();

const contract = Object.assign({}, ...product.contracts) as (typeof product.contracts)[number];
const all = Object.entries(contract);
const officeCalls = all.filter(([, { access }]) => access === "staff");
const otherCalls = all.filter(([, { access }]) => access !== "staff" && access !== "anyone");

const shop = await openShop();
const customer = await addCustomer();
const { cookies: till } = await openTill(shop.shopId);
const tillCookies = [...till].map(([name, value]) => `${name}=${value}`).join("; ");
const ownOrigin = { origin: settings.publicUrl.origin };
type Headers = Record<string, string>;

/** The code of the refusal; what is refused later, for its input, was let in. */
async function refusedWith(line: string, headers: Headers): Promise<string> {
  const [method = "", path = ""] = line.split(" ");
  const body = line.includes("shop/") ? new URLSearchParams({ CardNumber: "2900000000001" }) : new URLSearchParams();
  const response = await fetch(`/api/${path.replace(/\{\w+\}/g, "1")}`, {
    ...{ method, headers },
    ...(method !== "GET" && { body }),
  });
  return response.status === 200 ? "let in" : (await response.json()).code;
}

test.each(officeCalls)(
  "%s is opened by the cookie of the back office alone, from our own pages",
  async (line, { roles }) => {
    const strangers: [string, Headers][] = [
      ["nobody", {}],
      ["a customer's session", { cookie: `auth.token=${customer.token}` }],
      ["a customer's token in the cookie", { cookie: `staff.token=${customer.token}` }],
      ["a customer's bearer", { authorization: `Bearer ${customer.token}` }],
      ["a key", { authorization: `Bearer ${shop.key}` }],
      ["a till with somebody signed in", { cookie: tillCookies }],
      ["the till's person in the cookie", { cookie: `staff.token=${till.get("till.staff")}` }],
    ];
    const { token } = await openOffice(roles?.[0] ?? "owner");
    strangers.push(["the token as a bearer", { authorization: `Bearer ${token}` }]);
    for (const [who, headers] of strangers)
      expect({ who, code: await refusedWith(line, { ...headers, ...ownOrigin }) }).toEqual({
        who,
        code: "not_signed_in",
      });
    const cookie = `staff.token=${token}`;
    if (!line.startsWith("GET "))
      for (const origin of [{}, { origin: "https://evil.example" }, { "sec-fetch-site": "same-site" }] as Headers[])
        expect(await refusedWith(line, { cookie, ...origin })).toBe("cross_site");
    expect(["not_signed_in", "cross_site", "forbidden", "proof_needed"]).not.toContain(
      await refusedWith(line, { cookie, ...ownOrigin }),
    );
  },
);

test.each(otherCalls)("%s is not opened by the back office", async (line, { access }) => {
  const { token } = await openOffice("owner");
  const refusal = access === "customer" ? "not_signed_in" : access.endsWith("key") ? "key_invalid" : "not_paired";
  const held: Headers[] = [
    { cookie: `staff.token=${token}` },
    { cookie: `auth.token=${token}; till.staff=${token}` },
    { authorization: `Bearer ${token}` },
  ];
  for (const headers of held) expect(await refusedWith(line, { ...headers, ...ownOrigin })).toBe(refusal);
});

test("the calls of staff stand under office/, and nothing else does but the ways in", () => {
  for (const [line, { access, roles }] of all) {
    const inOffice = line.split(" ")[1]?.startsWith("office/") ?? false;
    expect({ line, inOffice }).toEqual({ line, inOffice: access === "staff" || (inOffice && access === "anyone") });
    expect({ line, roles: (roles ?? []).length > 0 }).toEqual({ line, roles: access === "staff" });
  }
});

test("a call of staff without roles does not compile", () => {
  const rest = { summary: "", input: z.object({}), response: z.object({}), refusals: [] };
  // @ts-expect-error roles are missing
  endpoint({ access: "staff", ...rest });
  // @ts-expect-error no one may make it
  endpoint({ access: "staff", roles: [], ...rest });
  // @ts-expect-error roles are for staff
  endpoint({ access: "customer", roles: ["owner"], ...rest });
  endpoint({ access: "staff", roles: ["owner"], ...rest });
});

const later = (minutes: number) => new Date(clock.now.getTime() + minutes * 60_000);

test("a session ends after 30 minutes without a call, and after 12 hours", async () => {
  const start = clock.now;
  const { call, browse } = await openOffice("service");
  const status = async () => (await browse("/api/office/session")).status;
  clock.now = later(29);
  expect(await call(calls.readSession)).toMatchObject({ Role: "service", IdShop: null });
  clock.now = later(29);
  expect(await status()).toBe(200);
  clock.now = later(31);
  expect(await status()).toBe(401);
  clock.now = start;
  const second = await openOffice("owner");
  for (let n = 0; n < 24; n += 1) {
    expect((await second.browse("/api/office/session")).status).toBe(200);
    clock.now = later(29);
  }
  expect((await second.browse("/api/office/session")).status).toBe(200);
  clock.now = later(25);
  expect((await second.browse("/api/office/session")).status).toBe(401);
  clock.now = start;
});

test("a session ends with the person, and by signing out; of its token only the hash is stored", async () => {
  const { id, browse, cookies, call, token } = await openOffice("owner");
  const { rows } = await database.$client.query("select row_to_json(s)::text as text from staff_session s");
  expect(rows.map(({ text }) => text).join()).not.toContain(token);
  await call(calls.signOut);
  expect(cookies.has("staff.token")).toBe(false);
  cookies.set("staff.token", token);
  expect((await browse("/api/office/session")).status).toBe(401);
  const other = await openOffice("marketing");
  await database.$client.query("update staff set ended_at = now() where id = $1", [other.id]);
  expect((await other.browse("/api/office/session")).status).toBe(401);
  expect(id).not.toBe(other.id);
});

test("every role is asked of the database", async () => {
  for (const role of staffRoles)
    expect(await (await openOffice(role)).call(calls.readSession)).toMatchObject({ Role: role });
});

test("a session runs four calls at a time, and another does not wait for them", async () => {
  const [one, two] = [await openOffice("owner"), await openOffice("owner")];
  const holding = await database.$client.connect();
  await holding.query("begin; lock table audit_log in access exclusive mode");
  const asked = Array.from({ length: 9 }, () => one.call(readAudit));
  const waiting = async () => {
    const found = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%"audit_log"%'`;
    return (await database.execute(found)).rowCount;
  };
  await expect.poll(waiting).toBe(4);
  await two.call(calls.readSession);
  expect(await waiting()).toBe(4);
  await holding.query("rollback");
  holding.release();
  expect(await Promise.all(asked)).toHaveLength(9);
});
