import { Hono } from "hono";
import { localeOfPath, localePath } from "#i18n/locale.ts";
import { textsOf } from "#i18n/texts.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import { renderPage } from "./frame.server.tsx";

/** Stands in for the web shop, so that links to it work. */
export function shop(parts: { styles: readonly string[]; shopKey: () => Promise<string> }): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  app.get("/shop/key", async (c) => {
    c.set("route", "sandbox shop key");
    return c.text(await parts.shopKey());
  });
  app.on("GET", ["/shop", "/shop/*"], (c) => {
    c.set("route", "sandbox shop");
    const path = new URL(c.req.url).pathname.replace(/^\/sandbox\/shop/, "") || "/";
    const locale = localeOfPath(path);
    const { t } = textsOf[locale];
    return renderPage(c, {
      locale,
      title: t("sandbox.shop.title"),
      styles: parts.styles,
      children: (
        <main className="alone">
          <p className="kicker">{t("sandbox.frame.kicker")}</p>
          <h1>{t("sandbox.shop.title")}</h1>
          <p>{t("sandbox.shop.text")}</p>
          <code>{path.slice(0, 200)}</code>
          <a className="button" href={localePath(locale, "/account")}>
            {t("sandbox.shop.back")}
          </a>
        </main>
      ),
    });
  });
  return app;
}
