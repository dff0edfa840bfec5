import { sql } from "drizzle-orm";
import type pg from "pg";
import { storedForm } from "#identity/password/old-hashes/old-hash.server.ts";
import type { PasswordHashes } from "#identity/password/password-hashes.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { OpenPackage } from "./package/manifest.server.ts";

/** Fast hashes are wrapped in argon2id before the commit, each in the table as soon as it is made: this step may take hours. */
export async function wrapPasswords(
  client: pg.PoolClient,
  database: Database,
  pack: OpenPackage,
  passwords: PasswordHashes,
  report: (what: string, done: number, of: number) => void,
): Promise<void> {
  const { Source } = pack.manifest;
  const waiting = `from stage_members s where s.fate = 'new' and s.password_steps is not null and not exists (
    select from move_hash h where h.source = $1 and h.source_id = s.source_id and h.given = md5(s.password_steps || s.password_text))`;
  const { rows } = await client.query<{ count: string }>(`select count(*) ${waiting}`, [Source]);
  const total = Number(rows[0]?.count ?? 0);
  for (let done = 0; done < total; ) {
    const { rows: chunk } = await client.query<{ id: string; steps: string; text: string; given: string }>(
      `select s.source_id as id, s.password_steps as steps, s.password_text as text, md5(s.password_steps || s.password_text) as given
       ${waiting} limit 64`,
      [Source],
    );
    if (chunk.length === 0) break;
    const stored = await Promise.all(
      chunk.map(async ({ steps, text }) => storedForm(steps.split(","), await passwords.hash(text))),
    );
    await database.execute(sql`
      insert into move_hash (source, source_id, given, stored)
      select ${Source}, * from unnest(${sql.param(chunk.map(({ id }) => id))}::text[],
        ${sql.param(chunk.map(({ given }) => given))}::text[], ${sql.param(stored)}::text[])
      on conflict (source, source_id) do update set given = excluded.given, stored = excluded.stored`);
    done += chunk.length;
    report("passwords", done, total);
  }
}
