import { Hono } from "hono";
import { installedBrand } from "#brand/brand.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { company } from "#sandbox/company/company.server.tsx";
import { embed } from "#sandbox/embed.server.ts";
import { shop } from "#sandbox/shop/shop.server.tsx";
import consentStyles from "#sandbox/social/consent.css?raw";
import { facebook } from "#sandbox/social/facebook.server.tsx";
import { google } from "#sandbox/social/google.server.tsx";
import returnScript from "#sandbox/social/return.js?raw";
import { googleWallet } from "#sandbox/wallet/google-wallet.server.tsx";
import { scriptResponse } from "./frame.server.tsx";
import { mailbox } from "./mailbox.server.tsx";
import { type OfficePerson, office } from "./office.server.tsx";
import type { PartnerDependencies } from "./partner-sign-in.server.ts";
import stylesheet from "./sandbox.css?raw";

/** Stands in for what a machine with nothing configured lacks: a mailbox, two social providers, the company's accounts of staff, a wallet, the web shop. */
export function createSandbox(deps: {
  database: Database;
  styles: readonly string[];
  /** A mail server is configured, so emails are sent through it. */
  mailLeaves: boolean;
  publicUrl: string;
  /** The name of the stored key that signs Google passes. */
  googleWalletKey: string;
  /** A key of the sandbox's own shop. */
  shopKey: () => Promise<string>;
  /** A code that makes a browser a till of that shop, and who may sign in there. */
  till: () => Promise<{ Code: string; IdStaff: string; Pin: string }>;
  /** The QR code of a receipt that names no customer. */
  receiptQr: (claimCode: string) => string;
  /** Who may sign in to the back office, one person per role. */
  office: () => Promise<OfficePerson[]>;
  /** Signs one of them in; the cookie of the session. */
  openOffice: (email: string, request: Request) => Promise<string>;
  /** The registration of a shop, by which customers sign in there. */
  oidcClient: PartnerDependencies["oidcClient"];
  /** Calls the product as the server of a shop does. */
  fetchProvider: PartnerDependencies["fetch"];
  /** By what the company's provider knows the product, and where it sends staff back to. */
  company: { clientId: string; clientSecret: string; callback: string };
  /** The app by which each provider here knows the product. */
  socialApps: { google: { clientId: string }; facebook: { appId: string; appSecret: string } };
}): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  app.get("/sandbox.css", (c) => {
    c.set("route", "sandbox styles");
    return c.body(installedBrand().sheet + stylesheet + consentStyles, 200, {
      "content-type": "text/css; charset=utf-8",
      "cache-control": "no-cache",
    });
  });
  app.get("/return.js", (c) => {
    c.set("route", "sandbox script");
    return scriptResponse(c, [returnScript]);
  });
  app.route("/google", google({ ...deps, ...deps.socialApps.google }));
  app.route("/facebook", facebook({ ...deps, ...deps.socialApps.facebook }));
  app.route("/company", company(deps));
  app.route("/", mailbox(deps));
  app.route("/", shop(deps));
  app.route("/", embed(deps));
  app.route("/", office(deps));
  app.route("/", googleWallet(deps));
  return app;
}
