import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { eraseCustomer, readCustomer } from "#identity/calls.ts";
import { obtainEvent, obtainReward, subscribe, unsubscribe } from "#loyalty/calls.ts";
import { openTestClub } from "#testing/club.server.ts";
import { enter, password, registrationForm } from "#testing/people.server.ts";
import { expire } from "./ledger.server.ts";

const { database, addCustomer, clock, as } = await openTestClub();

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
      async () => void (await expire(database, member.id, clock.now)),
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
  let going = true;
  let most = 0;
  const loops = Array.from({ length: 20 }, async (_, n) => {
    while (going) await flood.call(n % 2 ? subscribe : unsubscribe);
  });
  for (let n = 0; n < 20; n += 1) {
    await other.call(readCustomer);
    const { rows } = await database.execute<{ held: number }>(sql`
      select count(*)::integer as held from pg_stat_activity
      where datname = current_database() and state <> 'idle' and xact_start is not null and pid <> pg_backend_pid()`);
    most = Math.max(most, rows[0]?.held ?? 0);
  }
  going = false;
  await Promise.all(loops);
  // At most four of the ten connections serve one customer; the fifth is another customer's.
  expect(most).toBeLessThanOrEqual(5);
});
