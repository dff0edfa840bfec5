import { sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { openTestProduct } from "#testing/product.server.ts";

const { fetch, database } = await openTestProduct();
let registered = 0;

const register = () => {
  registered += 1;
  const person = { Firstname: "Anne", Lastname: "Panne", Birthday: "1990-05-17", LoyaltySubscribe: "true" };
  const body = new URLSearchParams({ ...person, Email: `panne-${registered}@exemple.fr`, Password: "secret-42" });
  return fetch("/api/customer", { method: "POST", body });
};

/** The insert of an email, the last write of a registration, fails with this SQLSTATE. */
async function failWith(state: string): Promise<void> {
  await database.execute(
    sql.raw(`
    create function fail() returns trigger language plpgsql as $$
    begin raise exception 'as an outage would' using errcode = '${state}'; end $$;
    create trigger fail before insert on mail for each row execute function fail();`),
  );
}

afterEach(() => database.execute(sql`drop function if exists fail cascade`));

test.each([
  ["the disk is full", "53100"],
  ["memory is short", "53200"],
  ["there are too many connections", "53300"],
  ["the server is being shut down", "57P01"],
  ["the address leads to a standby that only reads", "25006"],
  ["the address leads to a standby, which has no tables without a log", "0A000"],
  ["two transactions wait for each other", "40P01"],
  ["the connection is lost", "08006"],
])(
  "when %s a write is refused with 503 and Retry-After, is rolled back, and works again afterwards",
  async (_, state) => {
    const people = () => database.execute(sql`select from customer`).then(({ rowCount }) => rowCount);
    const before = await people();
    await failWith(state);
    const refused = await register();
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: "unavailable" });
    expect((await fetch("/api/loyalty/programme")).status).toBe(200);
    expect(await people()).toBe(before);
    await database.execute(sql`drop function fail cascade`);
    expect((await register()).status).toBe(200);
  },
);

test("a fault of our own is 500 without Retry-After", async () => {
  await failWith("XX000");
  const broken = await register();
  expect(broken.status).toBe(500);
  expect(broken.headers.get("retry-after")).toBeNull();
});

test("a process that is stopping reports that it is not ready, and still serves requests", async () => {
  const stopping = await openTestProduct();
  expect((await stopping.fetch("/readyz")).status).toBe(200);
  stopping.product.drain();
  const ready = await stopping.fetch("/readyz");
  expect(ready.status).toBe(503);
  expect(ready.headers.get("retry-after")).toBe("1");
  expect((await stopping.fetch("/api/loyalty/programme")).status).toBe(200);
});
