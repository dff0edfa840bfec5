import type { Hono } from "hono";
import type pg from "pg";
import { customerRead } from "#identity/customer/customer.server.ts";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { pagePaths } from "#identity/paths.ts";
import { sessionQuery } from "#identity/session/caller-reads.server.ts";
import { readCookie, tokenCookieName } from "#identity/session/cookies.ts";
import { createToken, hashToken } from "#identity/session/tokens.server.ts";
import { clubHooks } from "#loyalty/club-hooks.server.ts";
import { eventFactsRead } from "#loyalty/events/events.server.ts";
import { historyRead, newest } from "#loyalty/ledger/history.server.ts";
import { loyaltyAccountRead } from "#loyalty/ledger/loyalty-customer.server.ts";
import { movedRead } from "#loyalty/moved/moved.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import { vouchersRead } from "#loyalty/rewards/rewards.server.ts";
import { columnOf, type Read } from "#platform/api/reads.server.ts";
import { openDatabase } from "#platform/database/database.server.ts";
import { buildStatement } from "#platform/database/statements.server.ts";
import { bareObtain } from "./bare-obtain.ts";
import { barePage } from "./bare-page.ts";
import { bareShop } from "./bare-shop.ts";
import { tokenOf } from "./population.ts";
import { createProduct, publicUrl } from "./product.ts";

/** What the member page reads of its customer, as the product asks for it. */
const pageReads = (): [read: unknown, values: object][] => [
  [customerRead(clubHooks({ publicUrl, now: () => new Date() })), {}],
  [loyaltyAccountRead, { programmeId: defaultProgrammeId }],
  [eventFactsRead, { programmeId: defaultProgrammeId }],
  [historyRead, { limit: 10, before: newest, after: 0 }],
  [movedRead, { limit: 10, offset: 0 }],
  [vouchersRead, { filter: "all", id: null, limit: 10, offset: 0 }],
];

const one = (pool: pg.Pool, name: string, text: string, ...values: unknown[]) =>
  pool.query({ name, text, values }).then(({ rows }) => rows[0]);

/** The member page: the SELECT that it needs, then React's rendering of one member's data that is at hand. */
async function memberPage(pool: pg.Pool, databaseUrl: string) {
  const product = createProduct(openDatabase(databaseUrl));
  await product.changes.start();
  const render = await barePage(product, pagePaths.memberPage, { cookie: `${tokenCookieName}=${tokenOf(1)}` });
  await product.changes.stop();
  const reads = pageReads();
  const { text, parameters } = buildStatement(
    sessionQuery(reads.map(([read], index) => columnOf(read as Read<never, unknown>, `${index}_`))),
  );
  const given: Record<string, unknown> = {};
  for (const [index, [, values]] of reads.entries())
    for (const [field, value] of Object.entries(values)) given[`${index}_${field}`] = value;
  return async (token: string) => {
    const values = parameters({ ...given, hash: hashToken(token), now: new Date().toISOString() });
    const { rows } = await pool.query({ name: "page", text, values, rowMode: "array" });
    return rows[0] && render();
  };
}

/** SELECT, argon2id, as many at once as there are cores, and the new session. */
function signIn(pool: pg.Pool) {
  const passwords = createPasswordHashes({ waitingLimit: 1_000 });
  return async (email: string, password: string) => {
    const found = await one(
      pool,
      "person",
      "select c.id, c.password_hash from customer_email e join customer c on c.id = e.customer_id where e.email = $1",
      email,
    );
    if (!(await passwords.matches(password, found.password_hash))) throw new Error("The password is wrong.");
    const token = createToken();
    await one(
      pool,
      "sign_in",
      `with opened as (
         insert into session (customer_id, expires_at) values ($1, now() + interval '30 days') returning id)
       insert into session_token (token_hash, customer_id, session_id) select $2, $1, id from opened`,
      found.id,
      hashToken(token),
    );
    return token;
  };
}

/** What members and tills do after a mailing, without validation, refusals, limits, logs or headers. */
export async function bareMailing(pool: pg.Pool, databaseUrl: string): Promise<Hono> {
  const app = bareShop(pool);
  const page = await memberPage(pool, databaseUrl);
  const enter = signIn(pool);
  const obtain = bareObtain(pool);
  app.get(pagePaths.memberPage, async (c) => {
    const html = await page(readCookie(c.req.header("cookie") ?? "", tokenCookieName) ?? "");
    return html ? c.body(html, 200, { "content-type": "text/html; charset=UTF-8" }) : c.json(null, 401);
  });
  app.post("/api/authentification/email", async (c) => {
    const sent = new URLSearchParams(await c.req.text());
    return c.json({ Token: await enter(sent.get("Email") ?? "", sent.get("Password") ?? "") });
  });
  app.post("/api/loyalty/reward/1/obtain", async (c) => {
    const hash = hashToken(c.req.header("authorization")?.slice("Bearer ".length) ?? "");
    const caller = await one(pool, "caller", "select customer_id from session_token where token_hash = $1", hash);
    await obtain(Number(caller.customer_id));
    return c.json({});
  });
  return app;
}
