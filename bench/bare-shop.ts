import { Hono } from "hono";
import type pg from "pg";
import { buildStatement } from "#platform/database/statements.server.ts";
import { membersQuery } from "#shop/keys/identify-query.server.ts";
import { barePurchase, type Purchase } from "./bare-purchase.ts";

/** A shop's calls without a key, a count or a log: a look-up by card with the same SELECT, a purchase with the same writes. */
export function bareShop(pool: pg.Pool): Hono {
  const app = new Hono();
  const { text, parameters } = buildStatement(membersQuery("card"));
  app.post("/api/shop/identify", async (c) => {
    const card = new URLSearchParams(await c.req.text()).get("CardNumber");
    const values = parameters({ value: card, now: new Date().toISOString() });
    const { rows } = await pool.query({ name: "identify", text, values });
    return c.json(rows[0]?.member ?? null, rows[0] ? 200 : 404);
  });
  const sell = barePurchase(pool);
  app.post("/api/shop/purchase", async (c) => {
    const sent = Object.fromEntries(new URLSearchParams(await c.req.text()));
    await sell(sent as unknown as Purchase, c.req.header("authorization")?.split("_")[1] ?? "");
    return c.json({});
  });
  return app;
}
