import { Hono } from "hono";
import { createElement as h } from "react";
import { amountOf } from "#brand/amounts.ts";
import { textsOf } from "#brand/texts.server.ts";
import { localeOfCode } from "#i18n/locale.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import { renderPage, visitorLocale } from "./frame.server.tsx";
import { type PartnerDependencies, partnerSignIn } from "./partner-sign-in.server.ts";

const prices = [8_990, 3_995, 32_000];

/**
 * A page of a partner's shop, by this machine's other name: its customers sign in with their account here, and its pages
 * show the elements of docs/elements.md.
 */
export function embed(deps: {
  styles: readonly string[];
  publicUrl: string;
  shopKey: () => Promise<string>;
  oidcClient: PartnerDependencies["oidcClient"];
  fetchProvider: PartnerDependencies["fetch"];
}) {
  const app = new Hono<RequestEnv>();
  const own = new URL(deps.publicUrl);
  const foreign = new URL(own);
  foreign.hostname = own.hostname === "127.0.0.1" ? "localhost" : "127.0.0.1";
  const shopOrigin = foreign.origin;

  /** As the server of a shop gets a token for its customer; none for a customer who is gone. */
  async function tokenOf(Sub: string): Promise<string | undefined> {
    const response = await fetch(`${own.origin}/api/shop/embed`, {
      method: "POST",
      headers: { authorization: `Bearer ${await deps.shopKey()}` },
      body: new URLSearchParams({ Sub }),
    });
    return response.ok ? (await response.json()).EmbedToken : undefined;
  }

  const partner = partnerSignIn({
    ...{ publicUrl: own.origin, shopOrigin, oidcClient: deps.oidcClient, fetch: deps.fetchProvider },
    ...{ path: "/embed", homeOf: (locale) => `/sandbox/embed/${locale}` },
  });
  app.route("/", partner.routes);
  app.on("GET", ["/embed", "/embed/:locale"], async (c) => {
    c.set("route", "sandbox embed");
    const here = new URL(c.req.url);
    if (here.hostname === own.hostname) return c.redirect(`${shopOrigin}${here.pathname}`);
    const locale = localeOfCode(c.req.param("locale")) ?? visitorLocale(c);
    const { t, money } = textsOf[locale];
    const subject = partner.sessionOf(c)?.subject;
    const token = subject && (await tokenOf(subject));
    const [step, words] = subject ? ["sign-out", t("sandbox.embed.signOut")] : ["sign-in", t("sandbox.embed.signIn")];
    return renderPage(c, {
      ...{ locale, title: t("sandbox.embed.title"), styles: deps.styles, popup: true },
      embed: { origin: own.origin, nonce: c.get("nonce"), token },
      children: h(
        "main",
        { className: "alone" },
        h("p", { className: "kicker" }, t("sandbox.frame.kicker")),
        h("h1", null, t("sandbox.embed.title")),
        h("p", null, t("sandbox.embed.text")),
        h("a", { className: "button", href: `/sandbox/embed/${step}/${locale}` }, words),
        h(
          "ul",
          { className: "people" },
          prices.map((cents) =>
            h(
              "li",
              { key: cents },
              h("span", null, money(amountOf(cents))),
              h("cercle-earn", { amount: amountOf(cents) }),
            ),
          ),
        ),
        h(subject ? "cercle-points" : "cercle-join"),
        h("cercle-card"),
      ),
    });
  });
  return app;
}
