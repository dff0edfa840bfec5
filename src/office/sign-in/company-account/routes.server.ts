import { type Context, Hono } from "hono";
import { parse, serialize } from "hono/utils/cookie";
import { z } from "zod";
import { localePath } from "#i18n/locale.ts";
import { officePath } from "#office/paths.ts";
import { officeCookieOf } from "#office/sign-in/cookies.server.ts";
import { endOfficeSession } from "#office/sign-in/session.server.ts";
import type { OpenOffice } from "#platform/api/callers.server.ts";
import { staffRoles } from "#platform/api/endpoint.server.ts";
import { localeOf } from "#platform/api/request-checks.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { Sealing } from "#platform/database/keys/sealing.server.ts";
import type { Log } from "#platform/log.server.ts";
import { linkCompanyAccount, NoAccess, proveByCompany, signInByCompany } from "./company-account.server.ts";
import type { CompanyProvider } from "./company-provider.server.ts";
import { companyPath } from "./paths.ts";

const cookieName = "staff.company";
/** As long as a person may take at the provider. */
const attemptSeconds = 900;

const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  at: z.number(),
  purpose: z.enum(["sign-in", "proof", "link"]),
  /** Who was signed in here when it began, and in which session. */
  staffId: z.number().optional(),
  tokenHash: z.string().optional(),
  goTo: z.string(),
});
type Attempt = z.output<typeof Attempt>;

export interface CompanyRoutes {
  database: Database;
  sealing: Sealing;
  provider: CompanyProvider;
  openOffice: OpenOffice;
  secureCookies: boolean;
  log: Log;
  now: () => Date;
}

/** The cookie of an attempt goes along when the provider sends the browser back, from another site: unlike the session's. */
function cookieOf(value: string, secure: boolean, maxAge = attemptSeconds): string {
  return serialize(cookieName, value, { path: companyPath, sameSite: "Lax", httpOnly: true, secure, maxAge });
}

/** Begins at the provider: its address, and the cookie that remembers what for. */
export async function beginAtCompany(
  { provider, sealing, secureCookies, now }: Pick<CompanyRoutes, "provider" | "sealing" | "secureCookies" | "now">,
  about: Pick<Attempt, "purpose" | "goTo" | "staffId" | "tokenHash">,
): Promise<{ url: string; cookie: string }> {
  const { url, begun } = await provider.begin({ fresh: about.purpose !== "sign-in" });
  const attempt: Attempt = { ...begun, ...about, at: now().getTime() };
  const value = sealing.seal(JSON.stringify(attempt)).toString("base64url");
  return { url, cookie: cookieOf(value, secureCookies) };
}

/** A path of the back office; anything else is its first page. */
const officePathOf = (path: string | undefined): string =>
  path && /^(\/[a-z]{2})?\/office(?![^/?])/.test(path) && !path.includes("\\") ? path : officePath;

/** The way to the provider of the company and back. Both are documents: the provider redirects browsers. */
export function companyRoutes(deps: CompanyRoutes): Hono<RequestEnv> {
  const { database, sealing, provider, openOffice, secureCookies, log, now } = deps;
  const app = new Hono<RequestEnv>();

  const redirect = (location: string, ...cookies: string[]) => {
    const headers = new Headers({ location, "cache-control": "no-store" });
    for (const cookie of cookies) headers.append("set-cookie", cookie);
    return new Response(null, { status: 303, headers });
  };
  const refused = (goTo: string, reason: string) => {
    const url = new URL(goTo, "http://localhost");
    url.searchParams.set("company", reason);
    return redirect(url.pathname + url.search, cookieOf("", secureCookies, 0));
  };
  const openAttempt = (c: Context<RequestEnv>): Attempt | undefined => {
    const value = parse(c.req.header("cookie") ?? "", cookieName)[cookieName];
    if (!value) return undefined;
    try {
      const attempt = Attempt.parse(JSON.parse(sealing.open(Buffer.from(value, "base64url"))));
      return attempt.at + attemptSeconds * 1_000 > now().getTime() ? attempt : undefined;
    } catch {
      // A value that is not ours, or sealed with another key, is no attempt.
      return undefined;
    }
  };

  app.get(companyPath, async (c) => {
    c.set("route", "office company account");
    const goTo = officePathOf(c.req.query("goTo") ?? localePath(localeOf(c), officePath));
    const asked = { roles: staffRoles, fresh: false, now: now() };
    // Without a session it is a sign-in.
    const current = await openOffice(c.req.raw, asked).catch(() => undefined);
    const isProof = c.req.query("for") === "proof" && current !== undefined;
    try {
      const { url, cookie } = await beginAtCompany(deps, {
        purpose: isProof ? "proof" : "sign-in",
        goTo,
        ...(current && { staffId: current.staffId, tokenHash: current.tokenHash.toString("base64url") }),
      });
      return redirect(url, cookie);
    } catch (error) {
      log.error({ error: String(error) }, "company account: the provider cannot be reached");
      return refused(goTo, "failed");
    }
  });

  app.get(`${companyPath}/callback`, async (c) => {
    c.set("route", "office company account");
    const attempt = openAttempt(c);
    if (!attempt) return refused(officePathOf(undefined), "expired");
    const { purpose, goTo, staffId } = attempt;
    const call = { request: c.req.raw, requestId: c.get("requestId"), now: now() };
    try {
      const person = await provider.finish(new URL(c.req.url).search, attempt, { fresh: purpose !== "sign-in" });
      const cleared = cookieOf("", secureCookies, 0);
      const tokenHash = attempt.tokenHash === undefined ? undefined : Buffer.from(attempt.tokenHash, "base64url");
      if (purpose === "link" && staffId !== undefined && tokenHash) {
        await linkCompanyAccount({ database, sealing }, { staffId, tokenHash }, person, call);
        return redirect(goTo, cleared);
      }
      if (purpose === "proof" && staffId !== undefined && tokenHash) {
        await proveByCompany(database, { staffId, tokenHash }, person, call);
        return redirect(goTo, cleared);
      }
      const { token } = await signInByCompany(deps, person, call);
      // The session that this browser had: its cookie does not come along from another site.
      if (tokenHash) await endOfficeSession(database, { tokenHash });
      return redirect(goTo, cleared, officeCookieOf(token, secureCookies));
    } catch (error) {
      if (error instanceof NoAccess) return refused(goTo, error.reason);
      log.warn({ error: String(error) }, "company account: the sign-in failed");
      return refused(goTo, "failed");
    }
  });
  return app;
}
