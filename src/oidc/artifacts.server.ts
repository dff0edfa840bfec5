import { hash } from "node:crypto";
import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Adapter, AdapterFactory } from "oidc-provider";
import type { Queries } from "#platform/database/database.server.ts";
import { createFindClient } from "./clients.server.ts";
import { oidcArtifacts } from "./oidc.tables.server.ts";

/** How long a refresh token works again: its response may have been lost on the way. */
const lostResponseSeconds = 30;

const hashOf = (id: string): Buffer => hash("sha256", id, "buffer");

/** Prepared once: the token endpoint makes most of them. */
function prepareStatements(database: Queries) {
  const { model, idHash, payload, grantId, uid, consumedAt, expiresAt } = oidcArtifacts;
  const given = sql.placeholder;
  const isOne = and(eq(model, given("model")), eq(idHash, given("idHash")));
  const grace = sql`${given("grace")}::integer`;
  const graceBegan = sql`now() - make_interval(secs => ${grace})`;
  return {
    upsert: database
      .insert(oidcArtifacts)
      .values({
        ...{ model: given("model"), idHash: given("idHash"), payload: given("payload") },
        customerId: sql`(select id from customer where subject = ${given("subject")}::uuid)`,
        ...{ grantId: given("grantId"), uid: given("uid") },
        expiresAt: sql`now() + make_interval(secs => ${given("seconds")}::double precision)`,
      })
      .onConflictDoUpdate({
        target: [model, idHash],
        set: {
          ...{ payload: sql`excluded.payload`, customerId: sql`excluded.customer_id`, uid: sql`excluded.uid` },
          ...{ grantId: sql`excluded.grant_id`, expiresAt: sql`excluded.expires_at` },
        },
      })
      .prepare("oidc_upsert"),
    find: database
      .select({
        payload,
        consumed: sql<number | null>`case when ${grace} = 0 or ${consumedAt} <= ${graceBegan}
          then extract(epoch from ${consumedAt})::integer end`,
      })
      .from(oidcArtifacts)
      .where(and(isOne, or(isNull(expiresAt), gt(expiresAt, sql`now()`))))
      .prepare("oidc_find"),
    findByUid: database
      .select({ payload })
      .from(oidcArtifacts)
      .where(and(eq(model, given("model")), eq(uid, given("uid")), gt(expiresAt, sql`now()`)))
      .prepare("oidc_find_by_uid"),
    consume: database
      .update(oidcArtifacts)
      .set({ consumedAt: sql`coalesce(${consumedAt}, now())` })
      .where(and(isOne, or(isNull(consumedAt), and(sql`${grace} > 0`, gt(consumedAt, graceBegan)))))
      .prepare("oidc_consume"),
    destroy: database.delete(oidcArtifacts).where(isOne).prepare("oidc_destroy"),
    revoke: database
      .delete(oidcArtifacts)
      .where(and(eq(model, given("model")), eq(grantId, given("grantId"))))
      .prepare("oidc_revoke"),
  };
}

/** Stores what the library issues. The ids of codes, tokens and cookies are secrets: only their hash is stored. */
export function createArtifacts(database: Queries, errors: { used: () => Error }): AdapterFactory {
  const statements = prepareStatements(database);
  const findClient = createFindClient(database);

  return (model): Adapter => {
    const grace = model === "RefreshToken" ? lostResponseSeconds : 0;
    const one = (id: string) => ({ model, idHash: hashOf(id) });
    return {
      async upsert(id, { jti, ...payload }, expiresIn) {
        const session = payload.expiresWithSession ? payload.sessionUid : null;
        // A request that waits is no part of a grant: it goes on after the grant has ended with its session.
        const grantId = model === "Interaction" ? null : payload.grantId;
        await statements.upsert.execute({
          ...{ ...one(id), payload, subject: payload.accountId ?? null, seconds: expiresIn ?? null },
          grantId: (model === "Grant" ? jti : grantId) ?? null,
          uid: (model === "Session" ? payload.uid : session) ?? null,
        });
      },
      async find(id) {
        if (model === "Client") return findClient(id);
        const [row] = await statements.find.execute({ ...one(id), grace });
        return row && { ...row.payload, jti: id, ...(row.consumed && { consumed: row.consumed }) };
      },
      /** Without its id, which only the cookie has: enough to know that the session is there. */
      async findByUid(uid) {
        const [row] = await statements.findByUid.execute({ model, uid });
        return row?.payload;
      },
      // The device flow is off.
      findByUserCode: async () => undefined,
      /**
       * One statement: the library reads, then writes, so of two requests with one code both would succeed. A request that began
       * before the one that used the code has an earlier time: what has no grace is never compared with it.
       */
      async consume(id) {
        const { rowCount } = await statements.consume.execute({ ...one(id), grace });
        if (rowCount === 0) throw errors.used();
      },
      async destroy(id) {
        await statements.destroy.execute(one(id));
      },
      async revokeByGrantId(grantId) {
        await statements.revoke.execute({ model, grantId });
      },
    };
  };
}

/**
 * A customer who signs in again while a client waits, perhaps as somebody else: the request goes on for the new session,
 * and the library's session of the one before ends.
 */
export async function leaveOtherSession(database: Queries, uid: string, subject: string): Promise<void> {
  await database.execute(sql`
    with waiting as (
      select id_hash, payload #>> '{session,uid}' as uid from oidc_artifact i
      where model = 'Interaction' and id_hash = ${hashOf(uid)} and (
        payload #>> '{session,accountId}' <> ${subject}
        or not exists (select from oidc_artifact s where s.model = 'Session' and s.uid = i.payload #>> '{session,uid}'))
    ), moved as (
      update oidc_artifact a set payload = payload - 'session' - 'grantId' from waiting w
      where a.model = 'Interaction' and a.id_hash = w.id_hash
    )
    delete from oidc_artifact where model = 'Session' and uid in (select uid from waiting)`);
}

/** Whether the customer has proved who they are since the client asked. */
export async function isProvedSince(
  database: Queries,
  uid: string,
  { customerId, sessionId }: { customerId: number; sessionId: number },
): Promise<boolean> {
  const { rows } = await database.execute(sql`
    select from oidc_artifact a
    join session s on s.customer_id = ${customerId} and s.id = ${sessionId} and s.proved_at > a.created_at
    where a.model = 'Interaction' and a.id_hash = ${hashOf(uid)}`);
  return rows.length > 0;
}
