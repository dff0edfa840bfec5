import { Hono } from "hono";
import { amountOf } from "#brand/amounts.ts";
import { installedBrand } from "#brand/brand.server.ts";
import { textsOf } from "#brand/texts.server.ts";
import { tagOf } from "#i18n/club-day.ts";
import { type Locale, localeOfCode, localeOfPath, localePath } from "#i18n/locale.ts";
import type { TextId } from "#i18n/texts.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import { renderPage, scriptResponse, visitorLocale } from "#sandbox/frame.server.tsx";
import { type PartnerDependencies, partnerSignIn } from "#sandbox/partner-sign-in.server.ts";
import clientScript from "./shop-client.js?raw";

/** What hangs on the rail, with its price; a gift card earns no points. */
const goods = [
  { name: "dress", cents: 8_990, earns: true },
  { name: "scarf", cents: 3_995, earns: true },
  { name: "belt", cents: 4_500, earns: true },
  { name: "coat", cents: 32_000, earns: true },
  { name: "shirt", cents: 7_500, earns: true },
  { name: "gift", cents: 5_000, earns: false },
] as const;

/** Texts that the script fills in itself. */
const scriptTexts = [
  ...["remove", "empty", "nobody", "who", "voucher", "queued", "earns", "receipt", "earned", "later"],
  ...["earns_later", "earns_waiting", "earned_later", "pending", "waiting", "claim", "back", "everything", "taken"],
  ...["reissued", "cancelled"],
] as const;

/** Stands in for the web shop: it sells with the calls that a partner would use, and its links lead somewhere. */
export function shop(deps: {
  styles: readonly string[];
  /** A key of the sandbox's own shop. */
  shopKey: () => Promise<string>;
  /** A code that makes a browser a till of that shop, and who may sign in there. */
  till: () => Promise<{ Code: string; IdStaff: string; Pin: string }>;
  /** The QR code of a receipt that names no customer. */
  receiptQr: (claimCode: string) => string;
  publicUrl: string;
  oidcClient: PartnerDependencies["oidcClient"];
  fetchProvider: PartnerDependencies["fetch"];
}): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  const { publicUrl, oidcClient } = deps;
  const partner = partnerSignIn({
    ...{ publicUrl, shopOrigin: publicUrl, oidcClient, fetch: deps.fetchProvider, path: "/shop" },
    homeOf: (locale) => `/sandbox/shop${localePath(locale, "/")}`,
  });
  app.route("/", partner.routes);
  app.get("/shop/key", async (c) => {
    c.set("route", "sandbox shop key");
    return c.text(await deps.shopKey());
  });
  app.get("/till.json", async (c) => {
    c.set("route", "sandbox till");
    return c.json(await deps.till());
  });
  app.on("GET", ["/till", "/till/:locale"], async (c) => {
    c.set("route", "sandbox till");
    const locale = localeOfCode(c.req.param("locale")) ?? visitorLocale(c);
    const { t } = textsOf[locale];
    const { Code, Pin } = await deps.till();
    return renderPage(c, {
      locale,
      title: t("sandbox.till.title"),
      styles: deps.styles,
      children: (
        <main className="alone">
          <p className="kicker">{t("sandbox.frame.kicker")}</p>
          <h1>{t("sandbox.till.title")}</h1>
          <p>{t("sandbox.till.text")}</p>
          <code>{t("sandbox.till.code", { code: Code })}</code>
          <code>{t("sandbox.till.pin", { name: "Alix", pin: Pin })}</code>
          <a className="button" href={localePath(locale, "/till")}>
            {t("sandbox.till.open")}
          </a>
        </main>
      ),
    });
  });
  // Stands in for a partner's server that is told what happens.
  app.post("/webhook", (c) => {
    c.set("route", "sandbox webhook");
    return c.body(null, 204);
  });
  app.get("/shop/client.js", (c) => {
    c.set("route", "sandbox script");
    return scriptResponse(c, [clientScript]);
  });
  app.get("/shop/qr/:code", (c) => {
    c.set("route", "sandbox receipt");
    return c.body(deps.receiptQr(c.req.param("code").slice(0, 32)), 200, { "content-type": "image/svg+xml" });
  });
  app.on("GET", ["/shop", "/shop/*"], (c) => {
    c.set("route", "sandbox shop");
    const path = new URL(c.req.url).pathname.replace(/^\/sandbox\/shop/, "") || "/";
    const locale = localeOfPath(path);
    const { t } = textsOf[locale];
    if (path === localePath(locale, "/")) return renderPage(c, sellingPage(locale, deps.styles, partner.sessionOf(c)));
    return renderPage(c, {
      locale,
      title: t("sandbox.shop.title"),
      styles: deps.styles,
      children: (
        <main className="alone">
          <p className="kicker">{t("sandbox.frame.kicker")}</p>
          <h1>{t("sandbox.shop.title")}</h1>
          <p>{t("sandbox.shop.text")}</p>
          <code>{path.slice(0, 200)}</code>
          <a className="button" href={localePath(locale, "/account")}>
            {t("sandbox.shop.back")}
          </a>
          <a className="link" href={`/sandbox/shop${localePath(locale, "/")}`}>
            {t("sandbox.shop.sell.open")}
          </a>
        </main>
      ),
    });
  });
  return app;
}

/** A rail of garments, a basket and receipts; the script makes the calls. */
function sellingPage(locale: Locale, styles: readonly string[], customer: { name: string; card?: string } | undefined) {
  const { t, money } = textsOf[locale];
  const text = (name: string) => t(`sandbox.shop.sell.${name}` as TextId);
  const texts = Object.fromEntries(
    scriptTexts.map((name) => [name, fillable(locale, `sandbox.shop.sell.${name}` as TextId)]),
  );
  return {
    locale,
    title: text("title"),
    styles,
    script: "/sandbox/shop/client.js",
    children: (
      <main
        className="selling"
        data-texts={JSON.stringify(texts)}
        data-currency={installedBrand().Currency}
        data-tag={tagOf(locale)}
        data-time-zone={installedBrand().TimeZone}
      >
        <div className="selling-head">
          <p className="kicker">{t("sandbox.frame.kicker")}</p>
          <h1>{text("title")}</h1>
          <p>{text("text")}</p>
          <p className="selling-customer">
            {customer && <span>{t("sandbox.shop.sell.signedIn", customer)}</span>}
            <a className="link" href={`/sandbox/shop/${customer ? "sign-out" : "sign-in"}/${locale}`}>
              {t(customer ? "sandbox.embed.signOut" : "sandbox.embed.signIn")}
            </a>
          </p>
        </div>
        <section aria-labelledby="rail">
          <h2 id="rail">{text("rail")}</h2>
          <ul className="goods">
            {goods.map(({ name, cents, earns }) => (
              <li key={name}>
                <span>{text(name)}</span>
                <span>{money(amountOf(cents), true)}</span>
                <button
                  className="button small"
                  type="button"
                  data-add={text(name)}
                  data-price={amountOf(cents)}
                  data-earns={earns}
                >
                  {text("add")} <span className="unseen">{text(name)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
        <section aria-labelledby="basket">
          <h2 id="basket">{text("basket")}</h2>
          <label className="ticked">
            <input type="checkbox" id="offline" /> {text("offline")}
          </label>
          <p id="queued" className="quiet" role="status" />
          <ol className="goods" id="lines" />
          <label className="labelled">
            {text("card")}
            <input id="card" inputMode="numeric" autoComplete="off" maxLength={13} defaultValue={customer?.card} />
          </label>
          <p id="who" role="status" />
          <fieldset id="vouchers" hidden>
            <legend>{text("vouchers")}</legend>
          </fieldset>
          <p id="total" role="status" />
          <button className="button" type="button" id="pay" disabled>
            {text("pay")}
          </button>
          <p id="problem" role="alert" />
        </section>
        <section aria-labelledby="receipts-title" className="selling-receipts">
          <h2 id="receipts-title">{text("receipts")}</h2>
          <ol id="receipts" />
        </section>
      </main>
    ),
  };
}

/** A text with its places left open, as {name}, for the script. */
function fillable(locale: Locale, id: TextId): string {
  const names = ["name", "tier", "points", "amount", "code", "count", "number", "available", "date", "pending"];
  return textsOf[locale].t(id, Object.fromEntries(names.map((name) => [name, `{${name}}`])));
}
