import bwip from "bwip-js/node";
import { eq, sql } from "drizzle-orm";
import { type Context, Hono } from "hono";
import { importJWK, type JWK, jwtVerify, SignJWT } from "jose";
import { textsOf } from "#brand/texts.server.ts";
import { type Locale, tags } from "#i18n/locale.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { findKey } from "#platform/database/keys/stored-keys.server.ts";
import { renderPage, visitorLocale } from "#sandbox/frame.server.tsx";
import { SvgImage } from "#ui/svg-image.tsx";
import { type Localized, type ShownClass, type ShownObject, sandboxPasses } from "./google-wallet.tables.server.ts";

const algorithm = "RS256";
const base = "/wallet/google";

/**
 * Stands in for Google Wallet: saves a pass from its signed link, issues an access token for a signed assertion, takes
 * updates with such a token, and refuses whatever was not signed by the product's key.
 */
export function googleWallet(deps: {
  database: Database;
  styles: readonly string[];
  googleWalletKey: string;
}): Hono<RequestEnv> {
  const { database } = deps;
  const app = new Hono<RequestEnv>();

  async function openKey() {
    const jwk = await findKey<JWK>(database, deps.googleWalletKey);
    return jwk && importJWK(jwk, algorithm);
  }

  /** The claims of a JWT that the product's key signed, or undefined. */
  async function verify(jwt: string, audience: string) {
    const jwk = await findKey<JWK>(database, deps.googleWalletKey);
    if (!jwk) return undefined;
    // Only the public part of the key is needed.
    const key = await importJWK({ kty: jwk.kty, n: jwk.n, e: jwk.e } as JWK, algorithm);
    const verified = await jwtVerify(jwt, key, { algorithms: [algorithm], audience }).catch(() => undefined);
    return verified?.payload;
  }

  app.post(`${base}/token`, async (c) => {
    c.set("route", "sandbox wallet token");
    const form = await c.req.formData();
    const key = await openKey();
    const claims = await verify(String(form.get("assertion")), c.req.url);
    if (!key || !claims) return c.json({ error: "invalid_grant" }, 400);
    const token = await new SignJWT()
      .setProtectedHeader({ alg: algorithm })
      .setAudience("wallet")
      .setExpirationTime("1h")
      .sign(key);
    return c.json({ access_token: token, expires_in: 3_600, token_type: "Bearer" });
  });

  app.patch(`${base}/walletobjects/v1/loyaltyObject/:id`, async (c) => {
    c.set("route", "sandbox wallet update");
    if (!(await verify(c.req.header("authorization")?.replace("Bearer ", "") ?? "", "wallet"))) return c.json({}, 401);
    const { notifyPreference, ...change }: ShownObject & { notifyPreference?: string } = await c.req.json();
    const [changed] = await database
      .update(sandboxPasses)
      .set({
        object: sql`${sandboxPasses.object} || ${JSON.stringify(change)}::jsonb`,
        notices: sql`${sandboxPasses.notices} + ${notifyPreference === "NOTIFY_ON_UPDATE" ? 1 : 0}`,
      })
      .where(eq(sandboxPasses.id, c.req.param("id")))
      .returning();
    return changed ? c.json(changed.object) : c.json({}, 404);
  });

  app.get(`${base}/save/:jwt`, async (c) => {
    c.set("route", "sandbox wallet");
    const claims = await verify(c.req.param("jwt"), "google");
    const { loyaltyClasses: [shared] = [], loyaltyObjects: [object] = [] } = (claims?.["payload"] ?? {}) as {
      loyaltyClasses?: ShownClass[];
      loyaltyObjects?: (ShownObject & { id: string })[];
    };
    if (!shared || !object) return show(c, undefined);
    // As at Google, the link does not change a pass that is saved already.
    await database.insert(sandboxPasses).values({ id: object.id, class: shared, object }).onConflictDoNothing();
    const [pass] = await database.select().from(sandboxPasses).where(eq(sandboxPasses.id, object.id));
    return show(c, pass);
  });

  function show(c: Context<RequestEnv>, pass: typeof sandboxPasses.$inferSelect | undefined) {
    const locale = visitorLocale(c);
    const { t } = textsOf[locale];
    return renderPage(c, {
      locale,
      title: t("sandbox.wallet.title"),
      styles: deps.styles,
      children: (
        <main className="alone">
          <p className="kicker">{t("sandbox.frame.kicker")}</p>
          <h1>{t("sandbox.wallet.title")}</h1>
          {pass ? (
            <>
              <Pass pass={pass} locale={locale} />
              <p>{t("sandbox.wallet.saved")}</p>
              <p className="quiet">{t("sandbox.wallet.notices", { count: pass.notices })}</p>
              <a className="button" href={c.req.path}>
                {t("sandbox.wallet.refresh")}
              </a>
            </>
          ) : (
            <p>{t("sandbox.wallet.unknown")}</p>
          )}
        </main>
      ),
    });
  }

  return app;
}

function Pass({ pass, locale }: { pass: typeof sandboxPasses.$inferSelect; locale: Locale }) {
  const { object } = pass;
  const { t, number } = textsOf[locale];
  const textOf = (text: Localized | undefined) =>
    text?.translatedValues.find(({ language }) => language === tags[locale])?.value ?? text?.defaultValue.value;
  if (object.state !== "ACTIVE")
    return (
      <section className="pass">
        <h2>{textOf(pass.class.localizedProgramName)}</h2>
        <p>{t("sandbox.wallet.expired")}</p>
      </section>
    );
  const fields = [
    [textOf(pass.class.localizedAccountNameLabel), object.accountName],
    [textOf(object.loyaltyPoints?.localizedLabel), number(object.loyaltyPoints?.balance.int ?? 0)],
    ...(object.textModulesData ?? []).map((text) => [textOf(text.localizedHeader), textOf(text.localizedBody)]),
  ];
  const code = object.barcode?.value ?? "";
  return (
    <section className="pass">
      <h2>{textOf(pass.class.localizedProgramName)}</h2>
      <dl>
        {fields.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <figure>
        <SvgImage svg={bwip.toSVG({ bcid: "ean13", text: code, scale: 2, paddingwidth: 11, height: 14 })} />
        <figcaption>{code}</figcaption>
      </figure>
    </section>
  );
}
