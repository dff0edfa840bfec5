import type pg from "pg";
import { generateVoucherCode } from "#loyalty/card/card.server.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import type { Fresh } from "./cluster.ts";
import { median, perSecond, type Result, rate } from "./measures.ts";
import { openProduct, registerMember } from "./product.ts";

const workers = 8;

/** One obtained reward as a hand-written transaction: the statements of `loyalty_obtain_confirmed`, each prepared. */
function bareObtain(pool: pg.Pool, customerIds: number[]) {
  return async (worker: number) => {
    const customerId = customerIds[worker];
    const now = new Date().toISOString();
    const code = generateVoucherCode();
    const label = '{"reward": 1}';
    await pool.query({ name: "session", text: "select id from customer where id = $1", values: [customerId] });
    const client = await pool.connect();
    const run = async (name: string, text: string, ...values: unknown[]) =>
      (await client.query({ name, text, values })).rows[0];
    await client.query("begin");
    await run("confirmed", "select email_verified_at from customer where id = $1", customerId);
    const reward = await run(
      "reward",
      `select points, amount_cents, name, club_day_end(club_day($1::timestamptz) + valid_days) as expires_at
       from loyalty_reward where programme_id = ${defaultProgrammeId} and id = $2`,
      now,
      1,
    );
    await run("code", "insert into loyalty_voucher_code values ($1, $2) on conflict do nothing", code, customerId);
    const account = await run(
      "account",
      "select state, balance from loyalty_account where customer_id = $1 for update",
      customerId,
    );
    await run(
      "lapsed",
      `select entry_id, expires_at, remaining from loyalty_lot
       where customer_id = $1 and remaining > 0 and expires_at <= $2 order by expires_at, entry_id`,
      customerId,
      now,
    );
    await run("cause", "select id from loyalty_entry where customer_id = $1 and cause = $2", customerId, code);
    const left = account.balance - reward.points;
    const entry = await run(
      "entry",
      `insert into loyalty_entry (customer_id, at, kind, points, balance, cause, label, recorded_at)
       values ($1, $2, 'reward', $3, $4, $5, $6, $2) returning id`,
      customerId,
      now,
      -reward.points,
      left,
      `voucher:${code}`,
      label,
    );
    const lot = await run(
      "lot",
      `select entry_id from loyalty_lot where customer_id = $1 and remaining > 0
       order by expires_at, entry_id limit 1`,
      customerId,
    );
    await run(
      "spend",
      "update loyalty_lot set remaining = remaining - $3 where customer_id = $1 and entry_id = $2",
      customerId,
      lot.entry_id,
      reward.points,
    );
    await run("balance", "update loyalty_account set balance = $2 where customer_id = $1", customerId, left);
    await run(
      "voucher",
      `insert into loyalty_voucher
       (customer_id, id, programme_id, reward_id, code, points, amount_cents, obtained_at, expires_at)
       values ($1, $2, 4, 1, $3, $4, $5, $6, $7)`,
      customerId,
      entry.id,
      code,
      reward.points,
      reward.amount_cents,
      now,
      reward.expires_at,
    );
    await run("letter", "select email, firstname from customer where id = $1", customerId);
    await client.query("commit");
    client.release();
  };
}

/** The same as one call of the SQL function: the difference to the API is the API's own cost. */
function bareCall(pool: pg.Pool, customerIds: number[]) {
  return async (worker: number) => {
    const customerId = customerIds[worker];
    await pool.query({ name: "session", text: "select id from customer where id = $1", values: [customerId] });
    const client = await pool.connect();
    await client.query("begin");
    await client.query({
      name: "obtain",
      text: `select * from loyalty_obtain_confirmed($1, ${defaultProgrammeId}, 1, $2, $3)`,
      values: [customerId, generateVoucherCode(), new Date().toISOString()],
    });
    await client.query("commit");
    client.release();
  };
}

export async function measureObtaining({ database, pool }: Fresh): Promise<Result[]> {
  const ask = openProduct(database);
  const members: Awaited<ReturnType<typeof registerMember>>[] = [];
  for (let n = 0; n < workers; n += 1) {
    const member = await registerMember(ask, `obtain-${n}`);
    const earning = { points: 100_000_000, kind: "grant" as const, cause: "grant:bench", label: {} };
    await credit(database, { customerId: member.id, ...earning, now: new Date() });
    members.push(member);
  }
  const ids = members.map(({ id }) => id);
  // Points are spent from confirmed addresses only.
  await pool.query("update customer set email_verified_at = now() where id = any($1)", [ids]);
  const works = {
    bare: bareObtain(pool, ids),
    call: bareCall(pool, ids),
    ours: (worker: number) => {
      const body = new URLSearchParams({ IdLoyaltyReward: "1" });
      return ask("loyalty/reward/1/obtain", { method: "POST", body, headers: members[worker]?.headers ?? {} });
    },
  };
  const rates = { bare: [] as number[], call: [] as number[], ours: [] as number[] };
  for (const work of Object.values(works)) await rate(workers, 1, work);
  for (let round = 0; round < 12; round += 1)
    for (const name of ["bare", "ours", "call"] as const) rates[name].push(await rate(workers, 0.5, works[name]));
  const [bare, call, ours] = [median(rates.bare), median(rates.call), median(rates.ours)];
  return [
    {
      what: `obtaining a reward, ${workers} at once: API to bare SQL`,
      metrics: `${perSecond(ours)} to ${perSecond(bare)}`,
      ratio: median(rates.ours.map((one, round) => one / (rates.bare[round] ?? 1))),
      least: 0.4,
    },
    {
      what: `obtaining a reward, ${workers} at once: API to one bare call`,
      metrics: `${perSecond(ours)} to ${perSecond(call)}`,
      ratio: ours / call,
    },
  ];
}
