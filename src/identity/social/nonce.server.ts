import { and, eq, gt, sql } from "drizzle-orm";
import { parse } from "hono/utils/cookie";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { clearedNonceCookie, nonceCookieOf } from "#identity/session/cookies.server.ts";
import { cookieNames } from "#identity/session/cookies.ts";
import { createToken, hashToken, isToken } from "#identity/session/tokens.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { socialNonces } from "./nonce.tables.server.ts";

/** Long enough to choose an account at the provider, and to type its password. */
const nonceMinutes = 10;

/**
 * A number for one social sign-in. It travels through the provider's proof and waits in this browser's cookie,
 * so a proof that was made for anybody or anything else opens nothing here.
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
  if (!issued) throw new Error("The nonce was not kept.");
  call.headers.append("set-cookie", nonceCookieOf(Nonce, nonceMinutes * 60, settings.secureCookies));
  return { Nonce, ExpiresAt: issued.expiresAt.toISOString() };
}

/** Uses up the nonce of a proof. It must be this browser's, and of any number of racing requests one finds it. */
export async function consumeNonce(
  { database, settings }: Dependencies,
  nonce: string,
  call: RequestContext,
): Promise<void> {
  const kept = parse(call.request.headers.get("cookie") ?? "", cookieNames.nonce)[cookieNames.nonce];
  if (!isToken(nonce) || kept !== nonce) throw new Refusal("proof_invalid");
  const taken = await database
    .delete(socialNonces)
    .where(and(eq(socialNonces.nonceHash, hashToken(nonce)), gt(socialNonces.expiresAt, sql`now()`)))
    .returning({ one: sql`1` });
  if (taken.length === 0) throw new Refusal("proof_invalid");
  call.headers.append("set-cookie", clearedNonceCookie(settings.secureCookies));
}
