import type { Context } from "hono";
import type { DemoPerson } from "#brand/demo-people.server.ts";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import { renderPage, visitorLocale } from "#sandbox/frame.server.tsx";
import { newPerson, peopleAtProviders } from "#sandbox/people.server.ts";

type Provider = "google" | "facebook";
const names: Record<Provider, string> = { google: "Google", facebook: "Facebook" };

/** The provider's consent page: choose an account, or cancel. Each choice is a form of its own, so it needs no script. */
export function renderConsent(
  c: Context<RequestEnv>,
  page: { provider: Provider; styles: readonly string[]; hidden: Record<string, string> },
) {
  const locale = visitorLocale(c);
  const { t } = textsOf[locale];
  const provider = names[page.provider];
  const title = t("sandbox.consent.title");
  const hidden = Object.entries(page.hidden).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
  return renderPage(c, {
    locale,
    title: `${title} · ${provider}`,
    styles: page.styles,
    popup: true,
    forms: true,
    children: (
      <main className="consent">
        <p className="kicker">{`${t("sandbox.frame.kicker")} · ${provider}`}</p>
        <h1>{title}</h1>
        <p className="quiet">{t("sandbox.consent.text", { provider })}</p>
        <ul>
          {peopleAtProviders().map((person) => (
            <li key={person.email}>
              <form method="post">
                {hidden}
                <PersonFields person={person} />
                <button type="submit" className="person">
                  <span aria-hidden="true" className="initials">
                    {person.firstname.slice(0, 1) + person.lastname.slice(0, 1)}
                  </span>
                  <strong>{`${person.firstname} ${person.lastname}`}</strong>
                  <span className="quiet">{person.email}</span>
                </button>
              </form>
            </li>
          ))}
        </ul>
        <NewPersonForm provider={page.provider} locale={locale} hidden={hidden} />
        <form method="post">
          {hidden}
          <button type="submit" className="link" name="Cancelled" value="true">
            {t("sandbox.consent.cancel")}
          </button>
        </form>
      </main>
    ),
  });
}

function PersonFields({ person }: { person: DemoPerson }) {
  return (
    <>
      <input type="hidden" name="Email" value={person.email} />
      <input type="hidden" name="Firstname" value={person.firstname} />
      <input type="hidden" name="Lastname" value={person.lastname} />
    </>
  );
}

function NewPersonForm({ provider, locale, hidden }: { provider: Provider; locale: Locale; hidden: React.ReactNode }) {
  const { t } = textsOf[locale];
  const person = newPerson();
  return (
    <details>
      <summary>{t("sandbox.consent.new")}</summary>
      <form method="post">
        {hidden}
        <label>
          {t("identity.firstname")}
          <input name="Firstname" defaultValue={person.firstname} required maxLength={100} />
        </label>
        <label>
          {t("identity.lastname")}
          <input name="Lastname" defaultValue={person.lastname} required maxLength={100} />
        </label>
        <label>
          {t("identity.email")}
          <input name="Email" type="email" defaultValue={person.email} required />
        </label>
        {/* Google may not have verified the address; Facebook may withhold it. */}
        <label className="check">
          <input type="checkbox" name={provider === "google" ? "Unverified" : "EmailHidden"} value="true" />
          {t(provider === "google" ? "sandbox.consent.unverified" : "sandbox.consent.hideEmail")}
        </label>
        <button type="submit" className="button">
          {t("sandbox.consent.submit")}
        </button>
      </form>
    </details>
  );
}

/** The last page of the popup: posts the result to the page that opened it, which has the same origin, and closes. */
export function renderReturn(
  c: Context<RequestEnv>,
  page: { styles: readonly string[]; message: Record<string, unknown> },
) {
  const locale = visitorLocale(c);
  const { t } = textsOf[locale];
  return renderPage(c, {
    locale,
    title: t("sandbox.consent.done"),
    styles: page.styles,
    popup: true,
    forms: true,
    script: "/sandbox/return.js",
    children: (
      <main className="alone" id="return" data-message={JSON.stringify(page.message)}>
        <h1>{t("sandbox.consent.done")}</h1>
        <p>{t("sandbox.consent.close")}</p>
      </main>
    ),
  });
}
