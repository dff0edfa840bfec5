import { timingSafeEqual } from "node:crypto";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { ClientMetadata as LibraryMetadata } from "oidc-provider";
import { createToken, hashToken } from "#identity/session/tokens.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { type ClientMetadata, oidcClients } from "./oidc.tables.server.ts";

export interface NewClient {
  name: string;
  redirectUris: string[];
  /** A mobile app or a page without a server: it can keep no secret. */
  isPublic: boolean;
  firstParty: boolean;
  logoutUris?: string[] | undefined;
  backChannelLogoutUri?: string | undefined;
}

/** An address of a client: https without a fragment, on this machine also http, of a public client its own scheme. */
export function isAllowedUri(uri: string, isPublic: boolean): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname, hash, username, password } = new URL(uri);
  if (hash || username || password || uri.includes("*")) return false;
  if (protocol === "https:") return true;
  if (protocol === "http:") return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  // A scheme of the app's own is a reversed domain name (RFC 8252), so that no other app has it.
  return isPublic && /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol);
}

/** Adds a client; its secret is returned once, and only its hash is stored. */
export async function addClient(queries: Queries, client: NewClient): Promise<{ id: string; secret?: string }> {
  const id = createToken().slice(0, 22);
  const secret = client.isPublic ? undefined : createToken();
  // An app's own scheme, or a loopback address, belongs to a native app.
  const native = client.isPublic && client.redirectUris.some((uri) => !uri.startsWith("https:"));
  await queries.insert(oidcClients).values({
    id,
    name: client.name,
    firstParty: client.firstParty,
    secretHash: secret === undefined ? null : hashToken(secret),
    metadata: {
      redirect_uris: client.redirectUris,
      post_logout_redirect_uris: client.logoutUris ?? [],
      ...(client.backChannelLogoutUri && { backchannel_logout_uri: client.backChannelLogoutUri }),
      application_type: native ? "native" : "web",
      token_endpoint_auth_method: client.isPublic ? "none" : "client_secret_basic",
    },
  });
  return { id, ...(secret !== undefined && { secret }) };
}

export function listClients(queries: Queries) {
  return queries.select().from(oidcClients).orderBy(asc(oidcClients.createdAt), asc(oidcClients.id));
}

/** A new secret; the one before ends at once. Undefined: no such client, or a public one. */
export async function rotateClientSecret(queries: Queries, id: string): Promise<string | undefined> {
  const secret = createToken();
  const changed = await queries
    .update(oidcClients)
    .set({ secretHash: hashToken(secret) })
    .where(and(eq(oidcClients.id, id), isNull(oidcClients.disabledAt), sql`${oidcClients.secretHash} is not null`))
    .returning({ id: oidcClients.id });
  return changed.length > 0 ? secret : undefined;
}

/** Ends a client and everything that was issued to it. */
export async function disableClient(queries: Queries, id: string): Promise<boolean> {
  const changed = await queries
    .update(oidcClients)
    .set({ disabledAt: sql`now()` })
    .where(and(eq(oidcClients.id, id), isNull(oidcClients.disabledAt)))
    .returning({ id: oidcClients.id });
  await queries.execute(sql`delete from oidc_artifact where payload ->> 'clientId' = ${id}`);
  return changed.length > 0;
}

/** Finds a client, as the library reads it. Its "secret" is the hash, which `isSecretOf` compares. */
export function createFindClient(queries: Queries) {
  const find = queries
    .select()
    .from(oidcClients)
    .where(and(eq(oidcClients.id, sql.placeholder("id")), isNull(oidcClients.disabledAt)))
    .prepare("oidc_client");
  return async (id: string): Promise<LibraryMetadata | undefined> => {
    const [row] = await find.execute({ id });
    if (!row) return undefined;
    const { metadata, firstParty, name, secretHash } = row;
    return {
      ...(metadata satisfies ClientMetadata),
      // A logout names the sign-in that has ended, which the ID token names too.
      ...(metadata.backchannel_logout_uri && { backchannel_logout_session_required: true }),
      client_id: id,
      client_name: name,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      id_token_signed_response_alg: "ES256",
      first_party: firstParty,
      ...(secretHash && { client_secret: secretHash.toString("hex") }),
    };
  };
}

export function isSecretOf(hashInHex: string, given: string): boolean {
  return timingSafeEqual(hashToken(given), Buffer.from(hashInHex, "hex"));
}
