import { hash, randomBytes, randomInt } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { clubCity, installedBrand } from "#brand/brand.server.ts";
import { textsOf } from "#brand/texts.server.ts";
import { defaultLocale } from "#i18n/locale.ts";
import type { KeyCaller, OpenKey } from "#platform/api/callers.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { storedKey } from "#platform/database/keys/stored-keys.server.ts";
import { buildStatement } from "#platform/database/statements.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { type KeyValues, keyQuery } from "./key-query.server.ts";
import { type KeyScope, keyScopes } from "./key-scopes.ts";
import { shopKeys, shops } from "./shops.tables.server.ts";

/** A key in the API: `cercle_<prefix>_<secret>`, with eight characters and 32 random bytes. */
const keyPattern = /^Bearer cercle_([a-z2-9]{8})_([\w-]{43})$/;
const prefixAlphabet = "abcdefghijkmnpqrstuvwxyz23456789";

/** Rate limits of one key, a minute each; a web shop has one key for all its orders. */
const keyLimits = { calls: 600, webCalls: 3_000, failedAttempts: 30, byContact: 60 };
const unlimited = 2 ** 31 - 1;
export type KeyLimits = typeof keyLimits;
export const limitsOf = (on: boolean): KeyLimits =>
  on ? keyLimits : { calls: unlimited, webCalls: unlimited, failedAttempts: unlimited, byContact: unlimited };

export const hashOf = (secret: string) => hash("sha256", secret, "buffer");

/** The prefix of the request's key and the hash of its secret. Whatever has another form is no key. */
function readKey(request: Request): { prefix: string; secretHash: Buffer } {
  const [, prefix, secret] = keyPattern.exec(request.headers.get("authorization") ?? "") ?? [];
  if (!prefix || !secret) throw new Refusal("key_invalid");
  return { prefix, secretHash: hashOf(secret) };
}

/** What the check of a request's key needs (key-query.server.ts). */
export const keyValues = (request: Request, scopes: readonly string[], limits: KeyLimits, now: Date): KeyValues => ({
  ...readKey(request),
  ...{ scopes, maxCalls: limits.calls, maxWebCalls: limits.webCalls, now: now.toISOString() },
});

/** A row of `checked`; none where the key is not valid. */
export interface CheckedKey {
  outcome: "done" | "scope_missing" | "too_many";
  shop_id: number;
  api: 1 | 2;
}

/** Throws what the check of a key refuses (key-query.server.ts). */
export function refuseKey<Row extends CheckedKey>(row: Row | undefined, now: Date): Row {
  if (!row) throw new Refusal("key_invalid");
  if (row.outcome === "scope_missing") throw new Refusal("scope_missing");
  if (row.outcome === "too_many") throw new Refusal("too_many", { retryAfterSeconds: secondsLeft(now) });
  return row;
}

/** Counts are of whole minutes. */
const secondsLeft = (now: Date) => 60 - now.getUTCSeconds();

interface OpenedKey extends CheckedKey {
  shop_name: string;
  web: boolean;
  scopes: string[];
  failed_attempts: number;
}

const openKeyStatement = buildStatement<KeyValues>(sql`with ${keyQuery()}
  select outcome, shop_id, shop_name, web, api, scopes, failed_attempts from checked`);

/** Checks a key in the database at every call, so revoking works at once in every process. */
export function createOpenKey(database: Database, limits: KeyLimits): OpenKey {
  return async (request, scopes, now) => {
    const values = keyValues(request, scopes, limits, now);
    const { rows } = await database.pipeline.query<OpenedKey>({
      name: "open_key",
      text: openKeyStatement.text,
      values: openKeyStatement.parameters(values),
    });
    const opened = refuseKey(rows[0], now);
    return {
      prefix: values.prefix,
      shopId: opened.shop_id,
      shopName: opened.shop_name,
      scopes: opened.scopes,
      web: opened.web,
      api: opened.api,
      failedAttempts: opened.failed_attempts,
    };
  };
}

/** A scope that only some inputs of a call need. */
export function refuseScope({ scopes }: Pick<KeyCaller, "scopes">, scope: KeyScope): void {
  if (!scopes.includes(scope)) throw new Refusal("scope_missing");
}

/** Refuses a key that has sent too many unknown codes in this minute. */
export function refuseGuessing({ failedAttempts }: KeyCaller, limits: KeyLimits, now: Date): void {
  if (failedAttempts >= limits.failedAttempts) throw new Refusal("too_many", { retryAfterSeconds: secondsLeft(now) });
}

/**
 * Counts unknown codes of a key in this minute, outside the transaction that was refused for them. The caller is told the new
 * count: the next sale of a batch must know it.
 */
export async function countFailedAttempt(queries: Queries, caller: KeyCaller): Promise<void> {
  const { rows } = await queries.execute<{ failed_attempts: number }>(
    sql`update shop_key_use set failed_attempts = failed_attempts + 1 where prefix = ${caller.prefix} returning failed_attempts`,
  );
  caller.failedAttempts = rows[0]?.failed_attempts ?? caller.failedAttempts;
}

/** Makes a key and returns it whole: only now can it be read. */
export async function createKey(
  queries: Queries,
  key: { shopId: number; name: string; scopes: readonly KeyScope[]; api?: 1 | 2; now: Date },
): Promise<string> {
  const { prefix, secret } = await writeKey(queries, { ...key, kind: "key" });
  return `cercle_${prefix}_${secret}`;
}

/** A key of a shop, or a till, which is a key whose secret is in a cookie. */
export async function writeKey(
  queries: Queries,
  key: { shopId: number; name: string; scopes: readonly KeyScope[]; kind: "key" | "till"; api?: 1 | 2; now: Date },
): Promise<{ prefix: string; secret: string }> {
  const prefix = Array.from({ length: 8 }, () => prefixAlphabet[randomInt(prefixAlphabet.length)]).join("");
  const secret = randomBytes(32).toString("base64url");
  await queries.insert(shopKeys).values({
    prefix,
    shopId: key.shopId,
    name: key.name,
    secretHash: hashOf(secret),
    scopes: [...key.scopes],
    kind: key.kind,
    api: key.api ?? 1,
    createdAt: key.now,
  });
  return { prefix, secret };
}

/** The key of the sandbox's own shop, made when first asked for. */
export async function sandboxKey(database: Database, now: Date): Promise<string> {
  const { key } = await storedKey(database, "sandbox-shop", async () => {
    const name = `${installedBrand().Name} ${textsOf[defaultLocale()].t("sandbox.frame.kicker")}`;
    const shopId = await addShop(database, { name, city: clubCity(), kind: "web" });
    return { key: await createKey(database, { shopId, name: "Sandbox", scopes: keyScopes, now }) };
  });
  return key;
}

/** A till is no key that is rotated or revoked as one. */
const ofKind = (prefix: string, kind: "key" | "till") => and(eq(shopKeys.prefix, prefix), eq(shopKeys.kind, kind));

/** The old key of a rotation works on for so long, until every till has the new one. */
export const rotationDays = 7;

/** A second key with the same name, scopes and version of the API; the first one ends seven days later. Undefined: there is no such key. */
export async function rotateKey(tx: Queries, prefix: string, now: Date): Promise<string | undefined> {
  const endsAt = new Date(now.getTime() + rotationDays * 24 * 3_600_000);
  const [old] = await tx
    .update(shopKeys)
    .set({ endsAt })
    .where(and(ofKind(prefix, "key"), isNull(shopKeys.revokedAt), isNull(shopKeys.endsAt)))
    .returning();
  return old && createKey(tx, { ...old, scopes: old.scopes as KeyScope[], now });
}

/** Whether there was such a key, or such a till, not yet revoked. */
export async function revokeKey(
  queries: Queries,
  prefix: string,
  now: Date,
  kind: "key" | "till" = "key",
): Promise<boolean> {
  const revoked = await queries
    .update(shopKeys)
    .set({ revokedAt: now })
    .where(and(ofKind(prefix, kind), isNull(shopKeys.revokedAt)))
    .returning({ prefix: shopKeys.prefix });
  return revoked.length > 0;
}

export async function addShop(
  queries: Queries,
  shop: { name: string; city: string; kind: "boutique" | "web" },
): Promise<number> {
  const [added] = await queries.insert(shops).values(shop).returning({ id: shops.id });
  if (!added) throw new Error("The shop was not written.");
  return added.id;
}
