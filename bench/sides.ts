import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import pg from "pg";
import { createListener } from "#app/process/listener.server.ts";
import { customerRead } from "#identity/customer/customer.server.ts";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { sessionQuery } from "#identity/session/caller-reads.server.ts";
import { hashToken } from "#identity/session/tokens.server.ts";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import { loyaltyAccountRead } from "#loyalty/ledger/loyalty-customer.server.ts";
import { columnOf, type Read } from "#platform/api/reads.server.ts";
import { openDatabase } from "#platform/database/database.server.ts";
import { buildStatement } from "#platform/database/statements.server.ts";
import { bareMailing } from "./bare-mailing.ts";
import { bareShop } from "./bare-shop.ts";
import { createProduct, password, publicUrl } from "./product.ts";

/**
 * The least a handler can do that asks the database who calls: it takes the token, sends one SELECT that looks up the
 * session and returns what the answer needs, and sends that on. No validation, no refusals, no headers of its own.
 */
function bareHandler(pool: pg.Pool, path: string, read: Read<never, unknown>, given: Record<string, unknown>): Hono {
  const { text, parameters } = buildStatement(sessionQuery([columnOf(read, "")]));
  const app = new Hono();
  app.get(path, async (c) => {
    const hash = hashToken(c.req.header("authorization")?.slice("Bearer ".length) ?? "");
    const values = parameters({ ...given, hash, now: new Date().toISOString() });
    const { rows } = await pool.query<unknown[]>({ name: read.name, text, values, rowMode: "array" });
    return c.json(rows[0]?.at(-1) ?? null, rows[0] ? 200 : 401);
  });
  return app;
}

export const bareCustomer = (pool: pg.Pool) =>
  bareHandler(
    pool,
    "/api/customer",
    customerRead(clubHooks({ publicUrl, now: () => new Date() })) as Read<never, unknown>,
    {},
  );

/** A sign-in that only hashes, as many at once as there are cores: what no sign-in with this hash can exceed. */
async function bareHash(): Promise<Hono> {
  const app = new Hono();
  const passwords = createPasswordHashes({ waitingLimit: 1_000 });
  const hashed = await passwords.hash(password);
  app.post("/api/hash", async (c) =>
    c.json(await passwords.matches((await c.req.parseBody())["Password"] as string, hashed)),
  );
  return app;
}

/** Opens one side on a free port, and returns the port. */
export async function serveSide(side: string, databaseUrl: string): Promise<number> {
  if (side === "product") {
    const product = createProduct(openDatabase(databaseUrl));
    await product.changes.start();
    const server = createListener(product.fetch).listen(0, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const bare: Record<string, () => Hono | Promise<Hono>> = {
    hash: bareHash,
    customer: () => bareCustomer(pool),
    shop: () => bareShop(pool),
    mailing: () => bareMailing(pool, databaseUrl),
    loyalty: () =>
      bareHandler(pool, "/api/loyalty/customer", loyaltyAccountRead as Read<never, unknown>, { programmeId: 4 }),
  };
  const app = await bare[side]?.();
  if (!app) throw new Error(`There is no side ${side}.`);
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve(port));
  });
}
