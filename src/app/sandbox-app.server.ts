import { type Handler, Hono } from "hono";
import type { PasswordHashes } from "#identity/password/password-hashes.server.ts";
import { sandboxSocialApps } from "#identity/social/settings.server.ts";
import { qrSvg } from "#loyalty/card/barcode.server.ts";
import { sandboxKeyName } from "#loyalty/wallet/google/google-issuer.server.ts";
import { openSandboxOffice, sandboxOffice } from "#office/sandbox-office.server.ts";
import { companyPath } from "#office/sign-in/company-account/paths.ts";
import { sandboxCompany } from "#office/sign-in/company-account/settings.server.ts";
import { officeCookieOf } from "#office/sign-in/cookies.server.ts";
import { sandboxClient } from "#oidc/sandbox-client.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { isLocalRequest } from "#sandbox/local-request.server.ts";
import { createSandbox } from "#sandbox/sandbox.server.ts";
import { sandboxKey } from "#shop/keys/keys.server.ts";
import { claimUrl } from "#shop/poster.server.ts";
import type { Pins } from "#staff/pins.server.ts";
import { sandboxTill } from "#till/pairing/sandbox-till.server.ts";
import type { Settings } from "./settings.server.ts";

interface SandboxDependencies {
  database: Database;
  settings: Settings;
  pins: Pins;
  passwords: PasswordHashes;
  styles: string[];
  /** What others than this machine get. */
  pages: Handler<RequestEnv>;
  /** Calls the product as the server of a shop does. */
  fetchProvider: (url: string, init: RequestInit) => Promise<Response>;
  now: () => Date;
}

/** The sandbox with what it shows of shops, tills and the back office. */
export function sandboxApp(deps: SandboxDependencies) {
  const { database, settings, pins, passwords, styles, pages, fetchProvider, now } = deps;
  const publicUrl = settings.publicUrl.origin;
  const people = { database, pins, passwords };
  const app = new Hono<RequestEnv>();
  app.use("*", async (c, next) => {
    // Only the product's own calls to the sandbox have a request id already.
    const inProcess = c.env?.requestId !== undefined;
    return inProcess || isLocalRequest(c.req.raw, settings.sandboxName) ? next() : pages(c, next);
  });
  return app.route(
    "/",
    createSandbox({
      database,
      styles,
      mailLeaves: settings.smtpUrl !== undefined,
      publicUrl,
      googleWalletKey: sandboxKeyName,
      socialApps: sandboxSocialApps,
      company: { ...sandboxCompany, callback: `${publicUrl}${companyPath}/callback` },
      shopKey: () => sandboxKey(database, now()),
      oidcClient: (addresses) => sandboxClient(database, addresses),
      fetchProvider,
      till: () => sandboxTill(database, pins, now()),
      office: () => sandboxOffice(people, now()),
      openOffice: async (email, request) =>
        officeCookieOf(await openSandboxOffice(people, email, request, now()), settings.secureCookies),
      receiptQr: (claimCode) => qrSvg(claimUrl(publicUrl, claimCode)),
    }),
  );
}
