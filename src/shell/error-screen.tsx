import { useEffect } from "react";
import { isRouteErrorResponse, Link, useLocation, useNavigate, useRouteError } from "react-router";
import { barePath } from "#i18n/locale.ts";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import { loginGoToParameter } from "#identity/session/browser/redirect-after-sign-in.ts";
import { CallFailed } from "#platform/api/client/client.ts";
import type { Problem } from "#platform/refusal.ts";
import { reloadOnce } from "#shell/navigation/chunk-failure.ts";
import { onlineStore } from "#shell/navigation/connection.ts";
import { useStore } from "#ui/browser/store.ts";
import { Drape } from "#ui/fabric/drape.tsx";
import { PageTitle } from "#ui/page-title.tsx";

/** Shown in place of a page that failed: the status, a sentence, two links. */
export function ErrorScreen(screen: { status: number; text?: string | undefined; signIn?: boolean }) {
  const { t } = useTexts();
  return <Screen {...screen} title={t(screen.status === 404 ? "error.notFound" : "error.title")} />;
}

/** The error of a route: a missing page, a refusal of the API, a fault. */
export function RouteErrorScreen() {
  const error = useRouteError();
  const { t } = useTexts();
  useEffect(() => {
    // A fetch or an import that got no response is a TypeError. As a new document the page may still load: from the server
    // after a deploy, from the service worker without a network. With neither, the browser would show its own error page.
    const canReload = navigator.onLine || Boolean(navigator.serviceWorker?.controller);
    if (error instanceof TypeError && canReload) reloadOnce();
  }, [error]);
  // The server has turned failed calls into error responses already; in the browser they are thrown as they are.
  const known = isRouteErrorResponse(error) || error instanceof CallFailed ? error : undefined;
  const status = known?.status ?? 500;
  const data: unknown = known instanceof CallFailed ? known.problem : known?.data;
  const problem = isProblem(data) ? data : undefined;
  // React Router's own data is a text for developers; a refusal's detail, and our own texts, are for customers.
  const ownText = typeof data === "string" && status === 500 ? data : undefined;
  const online = useStore(onlineStore, (state) => state);
  const id = problem?.instance;
  return (
    <Screen
      status={status}
      title={t(status === 404 ? "error.notFound" : "error.title")}
      text={problem?.detail ?? ownText ?? (online ? undefined : t("offline.page"))}
      reference={id && t("error.request", { id })}
    />
  );
}

function isProblem(data: unknown): data is Problem {
  return typeof data === "object" && data !== null && "detail" in data && "instance" in data;
}

function Screen(screen: {
  status: number;
  title: string;
  text?: string | undefined;
  reference?: string | undefined;
  /** Offers to sign in again. */
  signIn?: boolean;
}) {
  const { t } = useTexts();
  const path = useLocalePath();
  const navigate = useNavigate();
  const missing = screen.status === 404;
  const { pathname, search } = useLocation();
  // The session has ended: signing in redirects back here.
  const ended = screen.status === 401;
  const back = ended ? `?${new URLSearchParams({ [loginGoToParameter]: barePath(pathname) + search })}` : "";
  const signIn = ended || screen.signIn;
  const text = screen.text ?? t(missing ? "error.notFoundText" : "error.text");
  return (
    <main id="content" className="grid grow lg:grid-cols-2">
      <PageTitle title={screen.title} />
      <div className="beside-picture flex flex-col items-start justify-center py-20 lg:min-h-[36rem] lg:pr-12">
        <p className="kicker text-soft">
          {t(missing ? "error.notFoundKicker" : "error.kicker")} <span aria-hidden="true">· {screen.status}</span>
        </p>
        <h1 className="mt-6 text-heading lg:text-hero">
          <span className="sr-only">{t("error.status", { status: screen.status })}. </span>
          {screen.title}
        </h1>
        <p className="mt-6 max-w-[30rem] text-xl text-soft leading-[1.6]">{text}</p>
        {screen.reference && <p className="mt-2 text-xs text-soft">{screen.reference}</p>}
        <div className="mt-9 flex w-full flex-col flex-wrap gap-3 sm:flex-row">
          {signIn && (
            <Link className="button solid" to={path(`${pagePaths.login}${back}`)}>
              {t("error.signIn")}
            </Link>
          )}
          <Link className={`button ${signIn ? "" : "solid"}`} to={path("/")}>
            {t("error.goHome")}
          </Link>
          <button type="button" className="button" onClick={() => navigate(-1)}>
            {t("error.goBack")}
          </button>
        </div>
      </div>
      <div className="relative isolate hidden lg:block">
        <Drape name="cotton-tile" />
      </div>
    </main>
  );
}
