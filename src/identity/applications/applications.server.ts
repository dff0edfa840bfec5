import { sql } from "drizzle-orm";
import type { Dependencies } from "#identity/dependencies.server.ts";
import { type SessionKey, withLockedSession } from "#identity/session/reauthentication/locked-session.server.ts";
import { defineRead, isoMoment, readById } from "#platform/api/reads.server.ts";
import { Refusal } from "#platform/refusal.ts";

interface ApplicationRow {
  id: string;
  name: string;
  scopes: string[];
  since: string;
}

/** The web shops and apps that may read in the customer's account (src/oidc), by name. */
export const applicationsRead = defineRead<object, ApplicationRow[]>(
  "applications",
  ({ customerId }) => sql`(
    select coalesce(json_agg(json_build_object('id', id, 'name', name, 'scopes', scopes, 'since', since) order by name, id), '[]')
    from (
      select c.id, c.name, min(g.created_at) as since, array_agg(distinct s.scope order by s.scope) as scopes
      from oidc_artifact g
      join oidc_client c on c.id = g.payload ->> 'clientId' and c.disabled_at is null
      cross join string_to_table(g.payload #>> '{openid,scope}', ' ') s (scope)
      where g.customer_id = ${customerId} and g.model = 'Grant' and g.expires_at > now()
      group by c.id, c.name
    ) granted)`,
);

/** The applications as the wire spells them. */
export const describeApplications = (rows: ApplicationRow[]) => ({
  Applications: rows.map((row) => ({
    IdApplication: row.id,
    Name: row.name,
    Scopes: row.scopes,
    Since: isoMoment(row.since),
  })),
});

/** Ends what an application may read: its tokens, and its sign-ins (db/functions/oidc_login_ended.sql tells it). */
export async function removeApplication({ database }: Dependencies, id: string, caller: SessionKey) {
  const { customerId } = caller;
  await withLockedSession(database, caller, async (tx) => {
    const { rowCount } = await tx.execute(sql`
      delete from oidc_artifact where grant_id in (
        select grant_id from oidc_artifact
        where customer_id = ${customerId} and model = 'Grant' and payload ->> 'clientId' = ${id})`);
    if (!rowCount) throw new Refusal("not_found");
    await tx.execute(sql`delete from oidc_login where customer_id = ${customerId} and client_id = ${id}`);
  });
  return describeApplications(await readById(database, applicationsRead, { customerId, now: new Date(), values: {} }));
}
