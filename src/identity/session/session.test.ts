import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { endOtherSessions, endSession, listSessions, readCustomer, signInWithEmail } from "#identity/calls.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { deleteExpiredJob } from "#identity/jobs.server.ts";
import { enter, password } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { openSession } from "./session.server.ts";
import { sessions } from "./session.tables.server.ts";

const { call, as, fetch, database, product, settings } = await openTestProduct();
const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const gone = "Unexpected status code: 401";

const rowOf = async (customerId: number) => {
  const [row] = await database.select().from(sessions).where(eq(sessions.customerId, customerId));
  if (!row) throw new Error("No session.");
  return row;
};
const shift = (customerId: number, column: "created_at" | "last_seen_at" | "expires_at", interval: string) =>
  database.execute(sql`update session set ${sql.identifier(column)} = now() + ${interval}::interval
    where customer_id = ${customerId}`);
const daysAhead = (moment: Date) => Math.round((moment.getTime() - Date.now()) / 86_400_000);

test("devices are listed by browser and system, with the current one marked", async () => {
  const { email, Token } = await enter(call);
  await as(undefined, { "user-agent": firefox })(signInWithEmail, { Email: email, Password: password });
  const { Sessions } = await as(Token)(listSessions);
  expect(Sessions.map(({ Device, Current, SocialProvider }) => [Device, Current, SocialProvider])).toEqual([
    ["Firefox · Windows", false, null],
    [null, true, null],
  ]);
});

test.each([
  ["203.0.113.77", "203.0.113.0/24"],
  ["::ffff:203.0.113.77", "203.0.113.0/24"],
  ["2001:db8:1:2::3", "2001:db8:1::/48"],
  ["127.0.0.1", null],
  ["::1", null],
  ["unknown", null],
])("of a sign-in from %s the network is told as %s", async (address, network) => {
  const { email, Token } = await enter(call);
  const url = new URL("/api/authentification/email", settings.publicUrl);
  const body = new URLSearchParams({ Email: email, Password: password });
  expect((await product.fetch(new Request(url, { method: "POST", body }), { address })).status).toBe(200);
  const { Sessions } = await as(Token)(listSessions);
  expect(Sessions.find(({ Current }) => !Current)?.Network).toBe(network);
});

test("a customer signs one device out, or all the others, and never somebody else's", async () => {
  const one = await enter(call);
  const other = await enter(call);
  const signIn = async () => (await call(signInWithEmail, { Email: one.email, Password: password })).AuthData.Token;
  const [second, third, fourth] = [await signIn(), await signIn(), await signIn()];
  const { Sessions } = await as(second)(listSessions);
  const id = Sessions.find((session) => session.Current)?.IdSession ?? 0;

  await expect(as(other.Token)(endSession, { id })).rejects.toThrow("Unexpected status code: 404");
  await as(one.Token)(endSession, { id });
  await expect(as(second)(readCustomer)).rejects.toThrow(gone);
  await expect(as(one.Token)(endSession, { id })).rejects.toThrow("Unexpected status code: 404");
  await as(third)(readCustomer);

  await as(third)(endOtherSessions);
  await expect(as(one.Token)(readCustomer)).rejects.toThrow(gone);
  await expect(as(fourth)(readCustomer)).rejects.toThrow(gone);
  await as(third)(readCustomer);
  await as(other.Token)(readCustomer);
});

test.each(["0", "-1", "1.0", "1e3", "9007199254740993", "x"])("the session id %s is malformed", async (id) => {
  const { Token } = await enter(call);
  const headers = { authorization: `Bearer ${Token}` };
  expect((await fetch(`/api/customer/session/${id}`, { method: "DELETE", headers })).status).toBe(400);
});

test("ending one's own session clears the cookie", async () => {
  const { Token } = await enter(call);
  const { Sessions } = await as(Token)(listSessions);
  const headers = { authorization: `Bearer ${Token}` };
  const response = await fetch(`/api/customer/session/${Sessions[0]?.IdSession}`, { method: "DELETE", headers });
  expect(response.headers.getSetCookie()[0]).toMatch(/^auth\.token=; Max-Age=0/);
});

test("a session in use is extended, and written at most once an hour", async () => {
  const { Customer, Token } = await enter(call);
  const id = Customer.IdCustomer;
  await shift(id, "expires_at", "5 days");
  await as(Token)(readCustomer);
  expect(daysAhead((await rowOf(id)).expiresAt)).toBe(5);
  await shift(id, "last_seen_at", "-61 minutes");
  await database.execute(sql`update customer set last_seen_at = now() - interval '9 days' where id = ${id}`);
  await as(Token)(readCustomer);
  expect(daysAhead((await rowOf(id)).expiresAt)).toBe(30);
  const [customer] = await database.select().from(customers).where(eq(customers.id, id));
  expect(Math.abs(daysAhead(customer?.lastSeenAt ?? new Date(0)))).toBe(0);
});

test("a session in use does not end, however many newer sign-ins there are; one that is not used does", async () => {
  const { Customer, Token } = await enter(call);
  const signIn = () => database.transaction((tx) => openSession(tx, Customer.IdCustomer, { device: null }));
  const unused = await signIn();
  const used = await signIn();
  for (let n = 0; n < 60; n += 1) {
    await signIn();
    if (n % 20 === 0) await as(Token)(readCustomer);
    await as(used.token)(readCustomer);
  }
  await as(Token)(readCustomer);
  await as(used.token)(readCustomer);
  await expect(as(unused.token)(readCustomer)).rejects.toThrow(gone);
  expect(await database.$count(sessions, eq(sessions.customerId, Customer.IdCustomer))).toBe(50);
});

test("a use is written once after each newer sign-in, else at most once an hour", async () => {
  const { Customer, Token } = await enter(call);
  await database.transaction((tx) => openSession(tx, Customer.IdCustomer, { device: null }));
  const first = async () => {
    const rows = await database.select().from(sessions).where(eq(sessions.customerId, Customer.IdCustomer));
    return rows.toSorted((a, b) => a.id - b.id)[0]?.lastSeenAt.getTime() ?? 0;
  };
  const opened = await first();
  await as(Token)(readCustomer);
  const seen = await first();
  expect(seen).toBeGreaterThan(opened);
  await as(Token)(readCustomer);
  expect(await first()).toBe(seen);
});

test("no session outlives 180 days, however much it is used", async () => {
  const { Customer, Token } = await enter(call);
  const id = Customer.IdCustomer;
  await shift(id, "created_at", "-170 days");
  await shift(id, "last_seen_at", "-2 hours");
  await as(Token)(readCustomer);
  expect(daysAhead((await rowOf(id)).expiresAt)).toBe(10);
});

test("an expired session is refused and deleted by the job", async () => {
  const { Customer, Token } = await enter(call);
  await shift(Customer.IdCustomer, "expires_at", "-1 second");
  await expect(as(Token)(readCustomer)).rejects.toThrow(gone);
  await product.jobs[deleteExpiredJob]?.({}, database);
  await expect(rowOf(Customer.IdCustomer)).rejects.toThrow("No session.");
});
