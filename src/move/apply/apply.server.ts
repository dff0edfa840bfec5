import type pg from "pg";
import { anyKnown, chooseMembers, existed, lockMembers, ofKnown, type Statement } from "./batch.server.ts";
import { addCustomers, changeCustomers } from "./customers.server.ts";
import { addMembers } from "./membership.server.ts";
import { addPoints } from "./points.server.ts";
import { addReceipts, addUnnamedReceipts } from "./receipts.server.ts";
import { addStatus } from "./status.server.ts";
import { addVouchers } from "./vouchers.server.ts";

/*
 * One batch of members, with everything that belongs to them, as statements over sets of rows. Triggers that would write
 * row by row are off meanwhile (db/functions/is_moving.sql). Temporary tables: `stage_…`
 * (stage.server.ts), `stage_now` (source, moments, programme), `batch` (the members of this batch) and `batch_days`.
 */

const statements: Statement[] = [
  ...lockMembers,
  ...addCustomers,
  ...addMembers,
  ...addPoints,
  ...addVouchers,
  ...addStatus,
  ...addReceipts,
  ...changeCustomers,
  `insert into move_member (customer_id, source, source_id, linked, content, taken_at, moved_at)
   select b.customer_id, n.source, b.source_id, b.fate = 'linked', b.content, n.taken_at, n.moment
   from batch b cross join stage_now n
   on conflict (source, source_id) do update set content = excluded.content, taken_at = excluded.taken_at,
     moved_at = excluded.moved_at`,
  "delete from move_hash h using batch b, stage_now n where h.source = n.source and h.source_id = b.source_id",
  ofKnown(`select queue_wallet(customer_id) from batch b where ${existed}`),
];

/** Moves the members of these lines, with all that is theirs, in the caller's transaction. */
export const applyBatch = (client: pg.PoolClient, from: number, to: number): Promise<void> =>
  moving(client, async () => {
    for (const statement of chooseMembers) await client.query(statement, statement.includes("$1") ? [from, to] : []);
    const { rowCount } = await client.query(anyKnown);
    for (const statement of statements) {
      if (typeof statement === "string") await client.query(statement);
      else if (rowCount) await client.query(statement.ofKnown);
    }
  });

/** Moves the receipts that name no member. */
export const applyUnnamedReceipts = (client: pg.PoolClient): Promise<void> =>
  moving(client, async () => {
    for (const statement of addUnnamedReceipts) await client.query(statement);
  });

async function moving(client: pg.PoolClient, work: () => Promise<void>): Promise<void> {
  // Tables that are empty at first grow with each row, and the plans of foreign keys are made once: never by reading all.
  await client.query("select set_config('cercle.moving', 'on', true), set_config('enable_seqscan', 'off', true)");
  // For the whole batch: what is booked waits for a month that is being closed, and is in the one after it.
  await client.query("update stage_now set booked_at = loyalty_booked_at(moment)");
  await work();
  await client.query("select set_config('cercle.moving', 'off', true), set_config('enable_seqscan', 'on', true)");
}
