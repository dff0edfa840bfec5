import { Hono } from "hono";
import { textsOf } from "#brand/texts.server.ts";
import { defaultLocale, localeOfCode, localePath } from "#i18n/locale.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import { renderPage, visitorLocale } from "./frame.server.tsx";

export interface OfficePerson {
  Name: string;
  Role: "owner" | "marketing" | "service" | "shop";
  Email: string;
  Password: string;
  Code: string;
}

/** Who may sign in to the back office here, with the code of the moment, so that trying it needs no phone. */
export function office(deps: {
  styles: readonly string[];
  office: () => Promise<OfficePerson[]>;
  openOffice: (email: string, request: Request) => Promise<string>;
}): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  app.get("/office.json", async (c) => {
    c.set("route", "sandbox office");
    return c.json(await deps.office());
  });
  app.post("/office/session", async (c) => {
    c.set("route", "sandbox office");
    const { email, locale } = await c.req.parseBody();
    c.header("set-cookie", await deps.openOffice(String(email), c.req.raw));
    return c.redirect(localePath(localeOfCode(String(locale)) ?? defaultLocale(), "/office"), 303);
  });
  app.on("GET", ["/office", "/office/:locale"], async (c) => {
    c.set("route", "sandbox office");
    const locale = localeOfCode(c.req.param("locale")) ?? visitorLocale(c);
    const { t } = textsOf[locale];
    const people = await deps.office();
    return renderPage(c, {
      locale,
      title: t("sandbox.office.title"),
      styles: deps.styles,
      forms: true,
      children: (
        <main className="alone">
          <p className="kicker">{t("sandbox.frame.kicker")}</p>
          <h1>{t("sandbox.office.title")}</h1>
          <p>{t("sandbox.office.text")}</p>
          <ul className="people">
            {people.map(({ Name, Role, Email, Password, Code }) => (
              <li key={Email}>
                <div>
                  <h2>{t(`office.role.${Role}`)}</h2>
                  <p>{Email}</p>
                  <p>{t("sandbox.office.password", { password: Password })}</p>
                  <p>{t("sandbox.office.code", { code: Code })}</p>
                </div>
                <form method="post" action="/sandbox/office/session">
                  <input type="hidden" name="email" value={Email} />
                  <input type="hidden" name="locale" value={locale} />
                  <button type="submit" className="button">
                    {t("sandbox.office.as", { name: Name })}
                  </button>
                </form>
              </li>
            ))}
          </ul>
          <a className="link" href={localePath(locale, "/office")}>
            {t("sandbox.office.open")}
          </a>
        </main>
      ),
    });
  });
  return app;
}
