import { type Context, Hono } from "hono";
import { z } from "zod";
import { readPassContent } from "#loyalty/wallet/pass-content.server.ts";
import type { Wallets } from "#loyalty/wallet/wallets.server.ts";
import { readBody, readBytes } from "#platform/api/fields.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { Log } from "#platform/log.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { applePass } from "./apple-pass.server.ts";
import { type AppleSigner, isTokenOf } from "./apple-signer.server.ts";
import { changedPasses, findBySerial, registerDevice, unregisterDevice } from "./apple-wallet.server.ts";

const serialNumber = z.uuid();
/** Apple's identifiers are short; anything longer is not one. */
const identifier = z.string().min(1).max(200);
const registration = "/v1/devices/:device/registrations/:type/:serial";

/**
 * The web service that Apple Wallet prescribes: phones register for a pass, ask for changes, fetch the pass, and send
 * error logs. Paths, statuses and headers are Apple's; a pass's authentication token takes the place of a session token.
 */
export function appleServiceApp(deps: {
  wallets: Wallets;
  database: Database;
  publicUrl: string;
  now: () => Date;
  log: Log;
}): Hono<RequestEnv> {
  const { wallets, database, now } = deps;
  const app = new Hono<RequestEnv>();

  async function openSigner(c: Context<RequestEnv>, route: string): Promise<AppleSigner> {
    c.set("route", `apple wallet ${route}`);
    const signer = await wallets.apple();
    if (!signer) throw new Refusal("not_configured");
    const type = c.req.param("type");
    if (type !== undefined && type !== signer.passTypeId) throw new Refusal("not_found");
    return signer;
  }

  /** The pass of a request with a valid authentication token; a wrong token and an unknown pass give the same response. */
  async function openPass(c: Context<RequestEnv>, signer: AppleSigner) {
    const serial = serialNumber.safeParse(c.req.param("serial")).data;
    const token = /^ApplePass (\S+)$/.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
    const pass = serial && (await findBySerial(database, serial));
    return pass && isTokenOf(signer, pass, token) ? pass : undefined;
  }

  app.post(registration, async (c) => {
    const signer = await openSigner(c, "register");
    const pass = await openPass(c, signer);
    if (!pass) return c.body(null, 401);
    const deviceId = identifier.safeParse(c.req.param("device")).data;
    const pushToken = identifier.safeParse((await readBody(c.req.raw))["pushToken"]).data;
    if (!deviceId || !pushToken) return c.body(null, 400);
    const fresh = await registerDevice(database, pass, { deviceId, pushToken, now: now() });
    if (fresh === undefined) return c.body(null, 401);
    return c.body(null, fresh ? 201 : 200);
  });

  app.delete(registration, async (c) => {
    const signer = await openSigner(c, "unregister");
    const pass = await openPass(c, signer);
    if (!pass) return c.body(null, 401);
    await unregisterDevice(database, pass.customerId, c.req.param("device"));
    return c.body(null, 200);
  });

  app.get("/v1/devices/:device/registrations/:type", async (c) => {
    await openSigner(c, "changes");
    const tag = Number(c.req.query("passesUpdatedSince") ?? 0);
    const since = new Date((Number.isSafeInteger(tag) && tag > 0 && tag < 1e11 ? tag : 0) * 1_000);
    const changed = await changedPasses(database, c.req.param("device"), since);
    if (changed.length === 0) return c.body(null, 204);
    const last = Math.max(...changed.map(({ changedAt }) => changedAt.getTime()));
    c.header("cache-control", "no-store");
    return c.json({ serialNumbers: changed.map(({ serial }) => serial), lastUpdated: String(last / 1_000) });
  });

  app.get("/v1/passes/:type/:serial", async (c) => {
    const signer = await openSigner(c, "pass");
    const pass = await openPass(c, signer);
    const content = pass && (await readPassContent(database, pass.customerId, now()));
    if (!pass || !content || content.state === "erased") return c.body(null, 401);
    const known = Date.parse(c.req.header("if-modified-since") ?? "");
    if (known >= pass.changedAt.getTime()) return c.body(null, 304);
    return passResponse(await applePass(signer, { ...pass, publicUrl: deps.publicUrl, content }), pass.changedAt);
  });

  app.post("/v1/log", async (c) => {
    await openSigner(c, "log");
    // A phone's error logs are logged at debug level, and truncated: the phone must not decide how much is logged.
    const { bytes } = await readBytes(c.req.raw);
    for (const line of linesOf(bytes).slice(0, 5)) deps.log.debug({ line: line.slice(0, 300) }, "apple wallet");
    return c.body(null, 200);
  });

  return app;
}

function linesOf(bytes: Uint8Array): string[] {
  try {
    return z.object({ logs: z.array(z.string()) }).parse(JSON.parse(new TextDecoder().decode(bytes))).logs;
  } catch {
    // Not in Apple's format: there is nothing to log.
    return [];
  }
}

export function passResponse(pass: Uint8Array<ArrayBuffer>, changedAt?: Date): Response {
  const headers = new Headers({
    "content-type": "application/vnd.apple.pkpass",
    "content-disposition": 'attachment; filename="cercle.pkpass"',
    "cache-control": "no-store",
  });
  if (changedAt) headers.set("last-modified", changedAt.toUTCString());
  return new Response(pass, { headers });
}
