import { Hono } from "hono";
import type { Database } from "#platform/database.server.ts";
import type { RequestEnv } from "#platform/requests.server.ts";
import { googleWallet } from "./google-wallet.server.tsx";
import { mailbox } from "./mailbox.server.tsx";
import stylesheet from "./sandbox.css?raw";
import { shop } from "./shop.server.tsx";

/** What a machine with nothing configured lacks: a mailbox, a wallet, and a page that stands for the shop. */
export function createSandbox(parts: {
  database: Database;
  styles: readonly string[];
  /** A real mail server is set: letters leave through it. */
  mailLeaves: boolean;
  /** The name of the key that signs passes here. */
  googleWalletKey: string;
}): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  app.get("/sandbox.css", (c) => {
    c.set("route", "sandbox styles");
    return c.body(stylesheet, 200, { "content-type": "text/css; charset=utf-8", "cache-control": "no-cache" });
  });
  app.route("/", mailbox(parts));
  app.route("/", shop(parts));
  app.route("/", googleWallet(parts));
  return app;
}
