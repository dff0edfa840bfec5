import type { PoolClient } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pagePaths } from "#identity/paths.ts";
import { subscribe } from "#loyalty/calls.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { saveSegment } from "#office/segments/calls.ts";
import { pageRoutes } from "#pages/routes.ts";
import { readLegalPage } from "#platform/legal/calls.ts";
import { openTestCampaigns } from "#testing/campaigns.server.ts";

const { addCustomer, addMember, begin, clock, fetch, openOffice, openShop, product, database } =
  await openTestCampaigns();

let statements: string[] = [];
// Each statement that a request sends is a round trip, whichever connection it takes.
database.$client.on("connect", (client: PoolClient) => {
  const { query } = client;
  client.query = ((...given: Parameters<typeof query>) => {
    const [asked] = given as unknown as [string | { text: string }];
    const text = typeof asked === "string" ? asked : asked.text;
    // The process checks now and then that it hears notifications.
    if (!text.includes("pg_notify")) statements.push(text);
    return query.apply(client, given);
  }) as typeof query;
});

beforeAll(() => product.changes.start());
afterAll(() => product.changes.stop());

/** The statements of a request once the process is warm: the programme is in memory, the session was extended. */
async function statementsOf(path: string, headers: Record<string, string>): Promise<string[]> {
  await (await fetch(path, { headers })).text();
  statements = [];
  const response = await fetch(path, { headers });
  await response.text();
  expect(response.status, path).toBe(200);
  return statements;
}

const { id: customerId, token, call } = await addCustomer();
await call(subscribe);
const grant = (cause: string) =>
  credit(database, { customerId, points: 100, kind: "grant", cause, label: {}, now: clock.now });
const cookie = { cookie: `auth.token=${token}` };
const bearer = { authorization: `Bearer ${token}` };

/** A pass writes what it shows, and an export reads every table that holds something of the customer. */
const exceptions: Record<string, number> = {
  "GET customer/export": 35,
  "GET customer/export/html": 35,
  "GET customer/export/csv": 35,
  "GET loyalty/wallet/google": 12,
  "GET loyalty/wallet/apple": 12,
};
const readingCalls = product.contracts
  .flatMap((contract) => Object.entries(contract))
  // A till's key, and the token of a QR code, are looked up as well.
  .filter(([line, { access }]) => line.startsWith("GET ") && (access === "anyone" || access === "customer"))
  .filter(([line]) => !line.startsWith("GET loyalty/pass"));

test.each(readingCalls)("%s is one round trip, or none when it is the same for everybody", async (line, endpoint) => {
  const most = exceptions[line] ?? (endpoint.access === "anyone" ? 0 : 1);
  const path = `/api/${line.slice("GET ".length)}${line === readLegalPage ? "?Name=terms" : ""}`;
  expect((await statementsOf(path, bearer)).length, path).toBeLessThanOrEqual(most);
});

interface Route {
  path?: string;
  children?: Route[];
}
const pathsBelow = ({ path, children = [] }: Route): string[] =>
  children.length > 0 ? children.flatMap(pathsBelow) : path === undefined ? [] : [`/${path}`];
const isAccount = (path: string) =>
  new Set<string>([pagePaths.account, pagePaths.informations, pagePaths.erase, pagePaths.memberPage]).has(path);
const pages = [...new Set(["/", ...pathsBelow(pageRoutes("") as Route)])].map((path) => path.replace(":name", "terms"));

test.each(pages)("the page %s asks the database nothing about a visitor, and once about a customer", async (path) => {
  if (!isAccount(path)) expect(await statementsOf(path, {}), "visitor").toEqual([]);
  const response = await fetch(path, { headers: cookie });
  // A customer who is signed in is redirected away from the sign-in.
  if (response.status !== 302) expect(await statementsOf(path, cookie), "customer").toHaveLength(1);
});

test("older entries of the history and a filter of the vouchers cost the member page nothing more", async () => {
  for (let n = 0; n < 12; n += 1) await grant(`grant:${n}`);
  const { NextCursor } = await (await fetch("/api/loyalty/history?Limit=10", { headers: bearer })).json();
  const path = `${pagePaths.memberPage}?cursor=${NextCursor}&state=available`;
  expect(await statementsOf(path, cookie)).toHaveLength(1);
});

test("a campaign of a segment, about lines and with limits costs a sale no further round trip", async () => {
  const [till, member] = [await openShop(), await addMember()];
  const Lines = [{ Line: "1", Amount: "50.00", PriceType: "full" as const, Codes: ["knitwear"] }];
  const sell = async () => {
    statements = [];
    const { Campaign } = await till.sell({ CardNumber: member.card, Lines });
    return { sent: statements.length, points: Campaign?.Points };
  };
  await sell();
  const { sent } = await sell();
  const { IdSegment } = await (await openOffice("marketing")).call(saveSegment, {
    ...{ Name: "Members who bought", Sends: "false" },
    Definition: JSON.stringify({ fact: "purchases", min: 1 }),
  });
  const campaign = await begin({
    ...{ Multiplier: "2", LimitPoints: "1000", MemberLimitPoints: "80" },
    ...{ IdSegment: String(IdSegment), LineRule: JSON.stringify({ priceTypes: ["full"] }) },
  });
  expect(await sell()).toEqual({ sent, points: 50 });
  expect(await sell()).toEqual({ sent, points: 30 });
  await campaign.end();
});
