import { and, eq, gt, sql } from "drizzle-orm";
import { parse } from "hono/utils/cookie";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { clearedNonceCookie, nonceCookieOf } from "#identity/session/cookies.server.ts";
import { nonceCookieName } from "#identity/session/cookies.ts";
import { createToken, hashToken, isToken } from "#identity/session/tokens.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { socialNonces } from "./nonce.tables.server.ts";

/** Enough to choose an account at the provider and to type its password. */
const nonceMinutes = 10;

/**
 * A nonce for one social sign-in. It is part of the provider's proof and of this browser's cookie, so a proof made for
 * another browser or another purpose is refused.
 */
export async function issueNonce(
  { database, limits, settings }: Dependencies,
  call: RequestContext,
): Promise<{ Nonce: string; ExpiresAt: string }> {
  const Nonce = createToken();
  const [issued] = await limits.nonce(call.address, () =>
    database
      .insert(socialNonces)
      .values({ nonceHash: hashToken(Nonce), expiresAt: sql`now() + make_interval(mins => ${nonceMinutes})` })
      .returning({ expiresAt: socialNonces.expiresAt }),
  );
  if (!issued) throw new Error("The nonce was not stored.");
  call.headers.append("set-cookie", nonceCookieOf(Nonce, nonceMinutes * 60, settings.secureCookies));
  return { Nonce, ExpiresAt: issued.expiresAt.toISOString() };
}

/** Uses up the nonce of a proof. It must be this browser's; of several concurrent requests only one succeeds. */
export async function consumeNonce(
  { database, settings }: Dependencies,
  nonce: string,
  call: RequestContext,
): Promise<void> {
  const expected = parse(call.request.headers.get("cookie") ?? "", nonceCookieName)[nonceCookieName];
  if (!isToken(nonce) || expected !== nonce) throw new Refusal("proof_invalid");
  const deleted = await database
    .delete(socialNonces)
    .where(and(eq(socialNonces.nonceHash, hashToken(nonce)), gt(socialNonces.expiresAt, sql`now()`)))
    .returning({ one: sql`1` });
  if (deleted.length === 0) throw new Refusal("proof_invalid");
  call.headers.append("set-cookie", clearedNonceCookie(settings.secureCookies));
}
