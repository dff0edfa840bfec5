import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { barePath } from "#i18n/locale.ts";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { writtenEmail } from "#identity/customer/email/punycode.ts";
import { pagePaths } from "#identity/paths.ts";
import { loginGoToParameter } from "#identity/session/browser/redirect-after-sign-in.ts";
import { type Customer, useCustomer } from "#identity/session/browser/session.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { useStore } from "#ui/browser/store.ts";
import { sessionStore } from "./session-store.ts";

/**
 * Says that the session is no longer the one this page was loaded for, and offers what to do. Nothing that was typed is
 * lost until the customer decides. It is sticky, since the form may be far below.
 */
export function SessionNotice({ madeFor, lost }: { madeFor: string | undefined; lost: Refused | null }) {
  const { t } = useTexts();
  const page = useCustomer();
  const now = useStore(sessionStore, (state) => state);
  if (now && String(now.IdCustomer) === madeFor) return <Strip>{t("account.sessionBack")}</Strip>;
  if (now) return <Other now={now} first={page && t("account.pageFor", { name: nameOf(page, now) })} page={page} />;
  if (now === null || lost?.problem?.code === "not_signed_in") return <Ended />;
  // The server has rendered the page for who is signed in now, and does not tell them whose form it was.
  if (lost && page) return <Other now={page} first={lost.problem?.detail} />;
  return null;
}

/** Two people of one first name are told apart by their address. */
function nameOf(person: Customer, other: Customer | undefined): string {
  return person.Firstname === other?.Firstname ? writtenEmail(person.Email) : person.Firstname;
}

function Other({ now, first, page }: { now: Customer; first: string | undefined; page?: Customer | undefined }) {
  const { t } = useTexts();
  const { pathname, search } = useLocation();
  const name = nameOf(now, page);
  return (
    <Strip
      action={
        // A new document, not a navigation of the router: everything on the page changes.
        <a className="button solid small" href={pathname + search}>
          {t("account.reloadFor", { name })}
        </a>
      }
    >
      {first} <span>{t("account.sessionOf", { name })}</span>
    </Strip>
  );
}

function Ended() {
  const { t } = useTexts();
  const path = useLocalePath();
  const { pathname, search } = useLocation();
  const goTo = new URLSearchParams({ [loginGoToParameter]: barePath(pathname) + search });
  return (
    <Strip
      action={
        // In a new tab: this one keeps what was typed, and is told when the session is back.
        <a className="button solid small" href={path(`${pagePaths.login}?${goTo}`)} target="_blank" rel="noopener">
          {t("account.signInAgain")}
        </a>
      }
    >
      {t("account.sessionEnded")}
    </Strip>
  );
}

function Strip({ action, children }: { action?: ReactNode; children: ReactNode }) {
  return (
    <div
      role="alert"
      className="session-notice sticky top-0 z-10 mb-8 max-sm:-mx-5 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-ink border-b bg-linen p-5 print:hidden"
    >
      <p className="max-w-[34rem]">{children}</p>
      {action}
    </div>
  );
}
