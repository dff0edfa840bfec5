import { sql } from "drizzle-orm";
import type { Database } from "#platform/database/database.server.ts";
import type { Sealing } from "#platform/database/keys/sealing.server.ts";

/** Where sealed secrets are. */
const places = [
  { table: "webhook_endpoint", column: "secret", by: "webhooks" },
  { table: "webhook_endpoint", column: "previous_secret", by: "webhooks" },
  { table: "staff", column: "totp_secret", by: "office" },
  { table: "staff_invitation", column: "totp_secret", by: "office" },
  { table: "oidc_signing_key", column: "sealed_jwk", by: "oidc" },
] as const;

/** Opens every secret with whichever key sealed it and seals it with the current one, all or none. Returns a line. */
export async function resealSecrets(
  database: Database,
  sealings: Record<"webhooks" | "office" | "oidc", Sealing>,
): Promise<string> {
  let count = 0;
  await database.transaction(async (tx) => {
    for (const { table, column, by } of places) {
      const [from, sealed] = [sql.identifier(table), sql.identifier(column)];
      const { rows } = await tx.execute<{ old: Buffer }>(
        sql`select ${sealed} as old from ${from} where ${sealed} is not null for update`,
      );
      for (const { old } of rows) {
        const fresh = sealings[by].seal(sealings[by].open(old));
        await tx.execute(sql`update ${from} set ${sealed} = ${fresh} where ${sealed} = ${old}`);
      }
      count += rows.length;
    }
  });
  return `${count} secrets are sealed with the current keys.`;
}
