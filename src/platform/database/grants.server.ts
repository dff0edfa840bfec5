import pg from "pg";
import { jobSchema } from "./database.server.ts";

/** Tables to which the running product adds rows and whose rows it never changes or deletes. */
const appendOnly = ["loyalty_entry", "audit_log", "loyalty_tier", "loyalty_reward", "loyalty_event"];
/** Tables whose rows it changes and never deletes. */
const neverDeleted = ["loyalty_voucher", "loyalty_programme", "campaign", "month_end"];

/**
 * Gives a role what the running product needs, and nothing that changes the schema: it can neither alter what is
 * append-only nor drop the triggers that refuse it. To be repeated after each migration; the command `migrate` does.
 */
export async function grantToRuntime(client: pg.Client, role: string): Promise<void> {
  const to = pg.escapeIdentifier(role);
  const schemas = `public, ${jobSchema}`;
  await client.query(`begin;
    set local lock_timeout = '5s';
    grant usage on schema ${schemas} to ${to};
    grant select, insert, update, delete on all tables in schema ${schemas} to ${to};
    grant usage, select on all sequences in schema ${schemas} to ${to};
    grant execute on all functions in schema ${schemas} to ${to};
    revoke update, delete, truncate on ${appendOnly.join(", ")} from ${to};
    revoke delete, truncate on ${neverDeleted.join(", ")} from ${to};
    revoke insert, update, delete, truncate on migration, function_text, function_set, installation from ${to};`);
  // The job queue shows its rows to no one but their owner (row-level security).
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace = $1::regnamespace and c.relrowsecurity
     and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = $2)`,
    [jobSchema, policyOf(role)],
  );
  for (const { name } of rows)
    await client.query(
      `create policy ${pg.escapeIdentifier(policyOf(role))} on ${name} to ${to} using (true) with check (true)`,
    );
  await client.query("commit");
}

const policyOf = (role: string) => `cercle_${role}`;
