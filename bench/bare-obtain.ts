import type pg from "pg";
import { generateVoucherCode } from "#loyalty/card/card.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";

/** One obtained reward as a hand-written transaction: the statements of `loyalty_obtain_confirmed`, each prepared. */
export function bareObtain(pool: pg.Pool) {
  return async (customerId: number | undefined) => {
    const now = new Date().toISOString();
    const code = generateVoucherCode();
    const label = '{"reward": 1}';
    await pool.query({ name: "obtain_session", text: "select id from customer where id = $1", values: [customerId] });
    const client = await pool.connect();
    const select = async (name: string, text: string, ...values: unknown[]) =>
      (await client.query({ name: `obtain_${name}`, text, values })).rows;
    const run = async (name: string, text: string, ...values: unknown[]) => (await select(name, text, ...values))[0];
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
    const lots = await select(
      "lots",
      `select entry_id, remaining from loyalty_lot where customer_id = $1 and remaining > 0
       order by expires_at, entry_id`,
      customerId,
    );
    let owed = reward.points;
    for (const { entry_id: lot, remaining } of lots) {
      if (owed === 0) break;
      const spent = Math.min(owed, remaining);
      const spend = "update loyalty_lot set remaining = remaining - $3 where customer_id = $1 and entry_id = $2";
      await run("spend", spend, customerId, lot, spent);
      owed -= spent;
    }
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
