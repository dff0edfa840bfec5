import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { eraseCustomer, readCustomer } from "#identity/calls.ts";
import { obtainEvent, obtainReward, subscribe, unsubscribe } from "#loyalty/calls.ts";
import { openTestClub } from "#testing/club.server.ts";
import { enter, password, registrationForm } from "#testing/people.server.ts";
import { clawBack, credit, debit, refreshAccount } from "./ledger.server.ts";

const { database, addCustomer, clock, as, product } = await openTestClub();

/** The number of deadlocks in this database so far. */
async function deadlocks(): Promise<number> {
  await database.execute(sql`select pg_stat_force_next_flush()`);
  const { rows } = await database.execute<{ deadlocks: string }>(
    sql`select deadlocks from pg_stat_database where datname = current_database()`,
  );
  return Number(rows[0]?.deadlocks);
}

/** ATTACK_ROUNDS=20 runs more rounds. */
const rounds = Number(process.env["ATTACK_ROUNDS"] ?? 1);

const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: { status: number }) => error.status,
  );

test("100 concurrent calls of one customer, joining, leaving, earning and spending, cause no deadlock", async () => {
  const before = await deadlocks();
  for (let round = 0; round < rounds; round += 1) {
    const member = await addCustomer({ emailVerifiedAt: clock.now });
    const mixed = [
      () => member.call(subscribe),
      () => member.call(unsubscribe),
      () => member.call(obtainEvent, { IdLoyaltyProgramEvent: 2 }),
      () => member.call(obtainReward, { IdLoyaltyReward: 1 }),
      async () => void (await refreshAccount(database, member.id, clock.now)),
    ];
    const statuses = await Promise.all(
      Array.from({ length: 100 }, (_, n) => statusOf(mixed[n % mixed.length]?.() ?? Promise.reject())),
    );
    expect(statuses.filter((status) => ![200, 409].includes(status))).toEqual([]);
  }
  expect(await deadlocks()).toBe(before);
});

test("an erasure among concurrent calls of the same customer causes no deadlock", async () => {
  const before = await deadlocks();
  for (let round = 0; round < 5; round += 1) {
    const { Token } = await enter(as(), registrationForm({ LoyaltySubscribe: true }));
    const own = as(Token);
    const statuses = await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        if (n === 4) return statusOf(own(eraseCustomer, { Password: password }));
        return statusOf(n % 2 ? own(obtainEvent, { IdLoyaltyProgramEvent: 3 }) : own(unsubscribe));
      }),
    );
    expect(statuses.filter((status) => ![200, 401, 409].includes(status))).toEqual([]);
    expect(await statusOf(own(readCustomer))).toBe(401);
  }
  expect(await deadlocks()).toBe(before);
});

test("one customer's flood of calls leaves connections for the others", async () => {
  const flood = await addCustomer();
  const other = await addCustomer();
  let calls: Promise<unknown>[] = [];
  const waiting = async () => {
    const { rows } = await database.execute<{ waiting: number }>(sql`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return rows[0]?.waiting;
  };
  await database.transaction(async (queries) => {
    await queries.execute(sql`select from customer where id = ${flood.id} for update`);
    calls = Array.from({ length: 20 }, (_, n) => flood.call(n % 2 ? subscribe : unsubscribe));
    await expect.poll(waiting).toBe(4);
    // Six connections of ten are left: for this transaction, and for others.
    for (let n = 0; n < 5; n += 1) await other.call(subscribe);
    expect(await waiting()).toBe(4);
  });
  await Promise.all(calls);
});

test("debts are waived one customer at a time, each under the customer's lock", async () => {
  const members = [await addCustomer(), await addCustomer()];
  const start = clock.now;
  for (const { call, id: customerId } of members) {
    await call(subscribe);
    const moved = { customerId, label: {}, now: start };
    const { balance } = await credit(database, { ...moved, points: 70, kind: "grant", cause: "grant:1" });
    await debit(database, { ...moved, points: balance, cause: "adjust:1" });
    await clawBack(database, { ...moved, points: 70, cause: "return:1", purchase: "grant:1", exchange: null });
  }
  clock.now = new Date(start.getTime() + 366 * 24 * 3_600_000);
  const debtsLeft = async () => {
    const { rows } = await database.execute<{ debt: number }>(sql`
      select loyalty_debt_of(id) as debt from customer where id in ${members.map(({ id }) => id)} order by id`);
    return rows.map(({ debt }) => debt);
  };
  const holder = await database.$client.connect();
  let job: unknown;
  try {
    // A sale of the second customer is under way.
    await holder.query("begin");
    await holder.query("select from customer where id = $1 for no key update", [members[1]?.id]);
    job = product.jobs["loyalty:waive"]?.({}, database);
    await expect.poll(debtsLeft).not.toEqual([70, 70]);
    expect(await debtsLeft()).toEqual([0, 70]);
    await holder.query("rollback");
  } finally {
    holder.release();
  }
  await job;
  expect(await debtsLeft()).toEqual([0, 0]);
  clock.now = start;
});
