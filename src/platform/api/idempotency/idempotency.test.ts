import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { obtainEvent, obtainReward, readLoyalty, subscribe, unsubscribe } from "#loyalty/calls.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { openTestClub, refusalOf } from "#testing/club.server.ts";
import { idempotencyJobs, respondIdempotently } from "./idempotency.server.ts";

const { addCustomer, clock, database, fetch } = await openTestClub();

async function addMember() {
  const member = await addCustomer();
  await member.call(subscribe);
  const post = async (fields: Record<string, string>, key?: string, path = "reward/1/obtain") => {
    const headers: Record<string, string> = { authorization: `Bearer ${member.token}` };
    if (key) headers["idempotency-key"] = key;
    const response = await fetch(`/api/loyalty/${path}`, {
      method: "POST",
      headers,
      body: new URLSearchParams(fields),
    });
    return { status: response.status, text: await response.text(), type: response.headers.get("content-type") };
  };
  const give = (points: number) =>
    credit(database, {
      customerId: member.id,
      points,
      kind: "grant",
      cause: "grant:gesture",
      label: {},
      now: clock.now,
    });
  return { ...member, post, give };
}

async function keysOf(customerId: number): Promise<unknown[]> {
  const { rows } = await database.execute(sql`select key from idempotency_key where customer_id = ${customerId}`);
  return rows.map(({ key }) => key);
}

/** How many other connections are in this state with a claim of a key as their last statement. */
async function waitingOrWorking(state: "active" | "idle in transaction"): Promise<number> {
  const { rows } = await database.execute(sql`
    select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and state = ${state} and query like 'insert into "idempotency_key"%'`);
  return rows.length;
}

test("the same key and body get the same response again, with one effect", async () => {
  const { post, call } = await addMember();
  const first = await post({ IdLoyaltyReward: "1" }, "key");
  expect(first.status).toBe(200);
  expect(await post({ IdLoyaltyReward: "1" }, "key")).toEqual(first);
  expect((await call(readLoyalty)).Points.Available).toBe(0);
});

test("a refusal is not stored: the same key succeeds once the balance has grown", async () => {
  const { post, call, id, give } = await addMember();
  const first = await post({ IdLoyaltyReward: "2" }, "key");
  expect(JSON.parse(first.text)).toMatchObject({ status: 409, code: "not_enough_points" });
  expect(first.type).toContain("application/problem+json");
  expect(await keysOf(id)).toEqual([]);
  await give(250);
  expect((await post({ IdLoyaltyReward: "2" }, "key")).status).toBe(200);
  expect((await call(readLoyalty)).Points.Available).toBe(0);
});

test("a refused call may be corrected and sent again under the same key", async () => {
  const { token, id } = await addCustomer({ birthday: null });
  const join = (CustomerBirthday: string) =>
    fetch("/api/loyalty/subscribe", {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "idempotency-key": "key" },
      body: new URLSearchParams({ LoyaltyCustomerState: "true", CustomerBirthday }),
    });
  expect((await join("2190-04-24")).status).toBe(400);
  expect(await keysOf(id)).toEqual([]);
  expect((await join("1990-04-24")).status).toBe(200);
  expect(await keysOf(id)).toEqual(["key"]);
});

test("a refusal that an earlier release stored is not replayed", async () => {
  const { post, id } = await addMember();
  await database.execute(sql`
    insert into idempotency_key (customer_id, call, key, body_hash, status, language, answer)
    values (${id}, ${obtainReward}, 'key', '\\x00', 409, 'fr', '{}')`);
  expect((await post({ IdLoyaltyReward: "1" }, "key")).status).toBe(200);
  expect((await post({ IdLoyaltyReward: "2" }, "key")).status).toBe(422);
});

test("the same key with another body after a success is refused, in three languages", async () => {
  const { post, call } = await addMember();
  await post({ IdLoyaltyReward: "1" }, "key");
  const details = [];
  for (const LanguageIsoCode of ["fr", "en", "de"]) {
    const { status, text } = await post({ IdLoyaltyReward: "2", LanguageIsoCode }, "key");
    expect(status).toBe(422);
    details.push(JSON.parse(text).detail);
  }
  expect(details).toEqual([
    "Cette clé a déjà servi à une autre demande.",
    "This key was already used for another request.",
    "Dieser Schlüssel wurde bereits für eine andere Anfrage verwendet.",
  ]);
  expect((await call(readLoyalty)).Points.Available).toBe(0);
});

test("fields in another order or encoding are the same body", async () => {
  const { post, token } = await addMember();
  const first = await post({ IdLoyaltyReward: "1", LanguageIsoCode: "en" }, "key");
  const again = await fetch("/api/loyalty/reward/1/obtain", {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "idempotency-key": "key", "content-type": "application/json" },
    body: JSON.stringify({ LanguageIsoCode: "en", IdLoyaltyReward: 1 }),
  });
  expect(await again.text()).toBe(first.text);
});

test("a form without script carries the key as a field", async () => {
  const { post, call } = await addMember();
  const fields = { IdLoyaltyReward: "1", IdempotencyKey: "hidden" };
  const first = await post(fields);
  expect(first.status).toBe(200);
  expect(await post(fields)).toEqual(first);
  expect(await post({ IdLoyaltyReward: "1" }, "hidden")).toEqual(first);
  expect((await call(readLoyalty)).Points.Available).toBe(0);
});

test("30 requests with one key at once: one effect, 30 times the same response", async () => {
  const { post } = await addMember();
  const responses = await Promise.all(Array.from({ length: 30 }, () => post({ IdLoyaltyReward: "1" }, "race")));
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(responses[0]?.status).toBe(200);
});

test("30 refusals with one key at once are 30 refusals, and nothing is stored", async () => {
  const { post, id } = await addMember();
  const responses = await Promise.all(Array.from({ length: 30 }, () => post({ IdLoyaltyReward: "2" }, "race")));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([409]));
  expect(await keysOf(id)).toEqual([]);
});

test("two bodies racing for one key: one takes effect, the other is refused as key_reused", async () => {
  const { post, call, give } = await addMember();
  await give(500);
  const responses = await Promise.all([post({ IdLoyaltyReward: "1" }, "race"), post({ IdLoyaltyReward: "2" }, "race")]);
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
  const cost = responses[0]?.status === 200 ? 250 : 500;
  expect((await call(readLoyalty)).Points.Available).toBe(750 - cost);
});

test("the second call with a key waits for the first, and runs when the first is refused", async () => {
  const { id } = await addCustomer();
  const call = { ownerId: id, call: "slow", key: "k", bodyHash: Buffer.from("same") };
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const refused = respondIdempotently(database, call, async () => {
    await finished;
    throw new Refusal("not_enough_points");
  });
  const refusal = expect(refused).rejects.toMatchObject({ code: "not_enough_points" });
  await expect.poll(() => waitingOrWorking("idle in transaction")).toBe(1);
  let begun = false;
  const second = respondIdempotently(database, call, async () => {
    begun = true;
    return Response.json({});
  });
  await expect.poll(() => waitingOrWorking("active")).toBe(1);
  expect(begun).toBe(false);
  finish();
  await refusal;
  expect((await second).status).toBe(200);
});

test("a key belongs to one customer and one call", async () => {
  const one = await addMember();
  const other = await addMember();
  expect((await one.post({ IdLoyaltyReward: "1" }, "shared")).status).toBe(200);
  expect((await other.post({ IdLoyaltyReward: "1" }, "shared")).status).toBe(200);
  expect((await one.post({ IdLoyaltyProgramEvent: "4" }, "shared", "event/obtain")).status).toBe(409);
  expect((await one.post({}, "shared", "unsubscribe")).status).toBe(200);
});

test("joining and leaving take keys: a repeated key gets the stored response and has no effect", async () => {
  const { call } = await addCustomer();
  const joined = await call(subscribe, {}, { idempotencyKey: "join" });
  await call(unsubscribe, {}, { idempotencyKey: "leave" });
  expect(await call(subscribe, {}, { idempotencyKey: "join" })).toEqual(joined);
  expect((await call(readLoyalty)).LoyaltyCustomerState).toBe(false);
});

test("a malformed request stores no response, and a key too long is refused", async () => {
  const { post, call } = await addMember();
  expect((await post({ IdLoyaltyReward: "x" }, "key")).status).toBe(400);
  expect((await post({ IdLoyaltyReward: "1" }, "key")).status).toBe(200);
  const long = await post({ IdLoyaltyReward: "1" }, "k".repeat(256));
  expect(long.status).toBe(400);
  expect(JSON.parse(long.text).errors).toMatchObject([{ field: "IdempotencyKey", code: "too_long" }]);
  expect((await post({ IdLoyaltyReward: "1", IdempotencyKey: "a\0b" })).status).toBe(400);
  expect(
    await refusalOf(call(obtainEvent, { IdLoyaltyProgramEvent: 4 }, { idempotencyKey: "k".repeat(255) })),
  ).toMatchObject({
    code: "event_locked",
  });
});

test("without a key, obtaining again is a new call", async () => {
  const { call } = await addMember();
  await call(obtainReward, { IdLoyaltyReward: 1 });
  expect(await refusalOf(call(obtainReward, { IdLoyaltyReward: 1 }))).toMatchObject({ code: "not_enough_points" });
});

test("a fault stores no response: the same key works once the fault is gone", async () => {
  const { post, call, id } = await addMember();
  await database.execute(sql`alter table loyalty_voucher rename to loyalty_voucher_away`);
  expect((await post({ IdLoyaltyReward: "1" }, "key")).status).toBe(500);
  await database.execute(sql`alter table loyalty_voucher_away rename to loyalty_voucher`);
  const kept = await database.execute(sql`select 1 from idempotency_key where customer_id = ${id}`);
  expect(kept.rows).toHaveLength(0);
  expect((await post({ IdLoyaltyReward: "1" }, "key")).status).toBe(200);
  expect((await call(readLoyalty)).Points.Available).toBe(0);
});

test("responses are stored for more than a day, and then deleted", async () => {
  const { post, id } = await addMember();
  await post({}, "young", "unsubscribe");
  await post({}, "old", "unsubscribe");
  const age = (key: string, age: string) =>
    database.execute(
      sql`update idempotency_key set created_at = now() - ${age}::interval where customer_id = ${id} and key = ${key}`,
    );
  await age("young", "25 hours");
  await age("old", "49 hours");
  await idempotencyJobs["api:forget-answers"]?.({}, database);
  const kept = await database.execute(sql`select key from idempotency_key where customer_id = ${id}`);
  expect(kept.rows).toEqual([{ key: "young" }]);
});

test("what a refused call had already written is rolled back, and its key is free", async () => {
  const { id } = await addCustomer();
  const attempt = () =>
    respondIdempotently(
      database,
      { ownerId: id, call: "half", key: "k", bodyHash: Buffer.from("same") },
      async (queries): Promise<Response> => {
        await queries.update(customers).set({ firstname: "Half" }).where(eq(customers.id, id));
        throw new Refusal("not_enough_points");
      },
    );
  await expect(attempt()).rejects.toMatchObject({ code: "not_enough_points" });
  await expect(attempt()).rejects.toMatchObject({ code: "not_enough_points" });
  expect(await keysOf(id)).toEqual([]);
  const [kept] = await database.select().from(customers).where(eq(customers.id, id));
  expect(kept?.firstname).toBe("Camille");
});
