import type pg from "pg";
import { generateVoucherCode } from "#loyalty/card/card.server.ts";
import { credit } from "#loyalty/ledger/ledger.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import { bareObtain } from "./bare-obtain.ts";
import type { Fresh } from "./cluster.ts";
import { median, perSecond, type Result, rate } from "./measures.ts";
import { openProduct, registerMember } from "./product.ts";

const workers = 8;

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
  const obtainBare = bareObtain(pool);
  const works = {
    bare: (worker: number) => obtainBare(ids[worker]),
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
