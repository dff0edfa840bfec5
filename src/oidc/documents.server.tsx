import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import type { Assets } from "#platform/assets.ts";
import { DocumentHead } from "#ui/document-head.server.tsx";

export interface Frame {
  locale: Locale;
  assets: Pick<Assets, "styles">;
}

/** A document without script: a title, and what is under it. */
function framed({ locale, assets }: Frame, title: string, content: ReactNode, refresh?: string): string {
  const { t } = textsOf[locale];
  return `<!DOCTYPE html>${renderToStaticMarkup(
    <html lang={locale}>
      <DocumentHead {...{ locale, title, assets }}>
        {refresh !== undefined && <meta httpEquiv="refresh" content={`0; url=${refresh}`} />}
      </DocumentHead>
      <body>
        <main className="wrap pt-10 pb-20 lg:pt-16">
          <p className="text-sm text-soft">{t("wordmark")}</p>
          <h1 className="mt-6 text-title">{title}</h1>
          {content}
        </main>
      </body>
    </html>,
  )}`;
}

/**
 * Leads on to an address of the request. A redirect would do, but browsers apply the policy of the form that began it to
 * every redirect that follows, and the web shop's address is not in it.
 */
export function leadsOn(frame: Frame, address: string): string {
  const { t } = textsOf[frame.locale];
  const link = (
    <p className="mt-6">
      <a className="underlined" href={address}>
        {t("oidc.continue")}
      </a>
    </p>
  );
  return framed(frame, t("oidc.redirecting"), link, address);
}

/** Asks whether an application of another company may read what it wants. */
export function consentDocument(frame: Frame, { client, scopes }: { client: string; scopes: string[] }): string {
  const { t } = textsOf[frame.locale];
  const read = {
    email: t("oidc.scope.email"),
    profile: t("oidc.scope.profile"),
    loyalty: t("oidc.scope.loyalty"),
  } as Record<string, string>;
  const content = (
    <form method="post" className="mt-6">
      <p>{t("oidc.consent.text", { client })}</p>
      <ul className="mt-4 list-disc pl-5">
        {scopes
          .filter((scope) => read[scope])
          .map((scope) => (
            <li key={scope}>{read[scope]}</li>
          ))}
      </ul>
      <p className="mt-4 text-soft">{t("oidc.consent.withdraw")}</p>
      <div className="mt-8 flex flex-wrap gap-4">
        <button type="submit" name="decision" value="allow" className="button solid">
          {t("oidc.consent.allow")}
        </button>
        <button type="submit" name="decision" value="refuse" className="button">
          {t("oidc.consent.refuse")}
        </button>
      </div>
    </form>
  );
  return framed(frame, t("oidc.consent.title", { client }), content);
}

/**
 * Asks a customer who is signed in to prove it: with the password where there is one, else by signing in again. The client
 * asked for it, so the page names the client and the account.
 */
export function proofDocument(
  frame: Frame,
  asked: { client: string; email: string; hasPassword: boolean; wrong: string | undefined },
): string {
  const { t } = textsOf[frame.locale];
  const { client, email, hasPassword, wrong } = asked;
  const content = (
    <>
      <p className="mt-6">{t("oidc.proof.text", { client, email })}</p>
      {hasPassword && (
        <form method="post" className="mt-6 max-w-[28rem] space-y-5">
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          <div className="labelled">
            <div className="label">
              <label htmlFor="password">{t("identity.password")}</label>
            </div>
            <input
              id="password"
              name="Password"
              type="password"
              autoComplete="current-password"
              required
              className="field"
              aria-invalid={wrong ? true : undefined}
              aria-describedby={wrong && "password-error"}
            />
            {wrong && (
              <p id="password-error" className="error">
                {wrong}
              </p>
            )}
          </div>
          <button type="submit" name="decision" value="prove" className="button solid">
            {t("oidc.proof.submit")}
          </button>
        </form>
      )}
      <form method="post" className="mt-8 flex flex-wrap gap-4">
        <button type="submit" name="decision" value="other" className={hasPassword ? "button" : "button solid"}>
          {t(hasPassword ? "oidc.proof.other" : "oidc.proof.again")}
        </button>
        <button type="submit" name="decision" value="cancel" className="button">
          {t("oidc.proof.cancel")}
        </button>
      </form>
    </>
  );
  return framed(frame, t("oidc.proof.title"), content);
}

/** Asks whether to sign out here too; `fields` are those of the library's form. */
export function logoutDocument(frame: Frame, { action, secret }: { action: string; secret: string }): string {
  const { t } = textsOf[frame.locale];
  const content = (
    <form method="post" action={action} className="mt-6">
      <input type="hidden" name="xsrf" value={secret} />
      <p>{t("oidc.logout.text")}</p>
      <div className="mt-8 flex flex-wrap gap-4">
        <button type="submit" name="logout" value="yes" className="button solid">
          {t("oidc.logout.submit")}
        </button>
        <button type="submit" className="button">
          {t("oidc.logout.stay")}
        </button>
      </div>
    </form>
  );
  return framed(frame, t("oidc.logout.title"), content);
}

export function noticeDocument(frame: Frame, { title, text }: { title: string; text: string }): string {
  return framed(frame, title, <p className="mt-6">{text}</p>);
}
