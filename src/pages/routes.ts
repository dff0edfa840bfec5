import { data, type LoaderFunction, type RouteObject, redirectDocument } from "react-router";
import { loadTexts } from "#i18n/catalogues.ts";
import { type Locale, offeredLocales } from "#i18n/locale.ts";
import type { TextPart } from "#i18n/text-parts.ts";
import { pagePaths } from "#identity/paths.ts";
import { requireSignedIn } from "#identity/session/browser/require-signed-in.ts";
import { clubPath, passPath } from "#loyalty/paths.ts";
import { shouldRevalidate } from "#platform/api/client/form.ts";
import { legalPath } from "#platform/legal/paths.ts";
import { loadOrReload } from "#shell/navigation/chunk-failure.ts";
import type { Prefetchable } from "#shell/navigation/prefetch.ts";
import { posterPath } from "#shop/paths.ts";
import { allLoaded } from "#ui/lazy.tsx";

/** What a page's module exports; React Router loads it as a lazy route. */
type PageModule = Pick<RouteObject, "loader" | "action" | "Component">;

const modules = import.meta.glob<PageModule>(["/src/**/*.page.tsx", "/src/**/*.layout.tsx"]);

/** What a route tells the server: its module to preload, and its texts; and the browser: how to prefetch both. */
export interface RouteHandle extends Prefetchable {
  module: string;
  texts: TextPart[];
}

/** A line of the route table. */
interface RouteEntry {
  /** Its name, as code and specification call it. */
  id: string;
  path?: string;
  /** Its module below `src/`: `module/name.page` or `module/name.layout`. */
  file: string;
  /** The guard that must let a visitor pass before any page below is shown. */
  guard?: string;
  /** The parts of the catalogue that it uses itself; its layouts have their own. */
  texts: TextPart[];
  /** The one language prefix it exists under. */
  only?: Locale;
  children?: RouteEntry[];
}

const page = (id: string, path: string, file: string, ...texts: TextPart[]): RouteEntry => ({
  id,
  // React Router's paths are relative to the prefix around them.
  path: path.slice(1),
  file: `${file}.page`,
  texts,
});
const passwordPage = (id: string, path: string, file: string) => page(id, path, file, "password");
const layout = (id: string, file: string, texts: TextPart, children: RouteEntry[]): RouteEntry => ({
  id,
  file: `${file}.layout`,
  texts: [texts],
  children,
});

/** Every page of the product, once. Each exists without a prefix, in the default language, and under the prefix of each language. */
const routeTable: RouteEntry[] = [
  page("index", pagePaths.home, "shell/home", "public"),
  page("error", pagePaths.error, "shell/error", "later", "links"),
  page("loyalty", clubPath, "loyalty/programme/loyalty", "public"),
  page("help", pagePaths.help, "shell/help/help", "help"),
  page("legal", `${legalPath}/:name`, "shell/legal", "public"),
  page("store-qrcode", posterPath, "shop/qrcode", "public"),
  layout("auth-layout", "identity/sign-in/auth", "identity", [
    page("authenticate-login", pagePaths.login, "identity/sign-in/login", "entrance"),
    page("authenticate-register", pagePaths.register, "shell/register", "entrance"),
    passwordPage("forget", pagePaths.forget, "identity/password/password"),
    passwordPage("reset", pagePaths.reset, "identity/password/password"),
    passwordPage("reinitialiser", pagePaths.reinitialiser, "identity/password/password"),
    passwordPage("password-new", pagePaths.passwordNew, "identity/password/password"),
    passwordPage("password-reset", pagePaths.passwordReset, "identity/password/password"),
    passwordPage("password-validate", pagePaths.passwordValidate, "identity/password/password"),
    passwordPage("password-components-BackToLogin", pagePaths.passwordBackToLogin, "identity/password/password-part"),
    passwordPage("password-components-NewPasswordForm", pagePaths.passwordNewForm, "identity/password/password-part"),
    passwordPage("password-components-ResetForm", pagePaths.passwordResetForm, "identity/password/password-part"),
    passwordPage("password-components-SentReset", pagePaths.passwordSentReset, "identity/password/password-part"),
    {
      ...passwordPage(
        "password-components-PasswordLayout",
        pagePaths.passwordLayout,
        "identity/password/password-layout",
      ),
      only: "de",
    },
    page("account-autologin", pagePaths.autologin, "identity/sign-in/autologin/autologin", "links"),
    page("pass", passPath, "loyalty/wallet/device/pass", "links"),
    page("account-email", pagePaths.confirmEmail, "identity/address/email", "links", "account"),
    page("account-email-stop", pagePaths.stopEmailChange, "identity/address/stop-email-change", "links"),
    page("unsubscribe", pagePaths.unsubscribe, "identity/unsubscribe/unsubscribe", "links"),
  ]),
  {
    ...layout("account-layout", "shell/account", "account", [
      page("account", pagePaths.account, "shell/account", "member"),
      page("account-informations", pagePaths.informations, "identity/profile/informations", "identity"),
      page("account-informations-erase", pagePaths.erase, "shell/erase", "identity", "links"),
      page("account-loyalty-subscribe", pagePaths.memberPage, "loyalty/member-page/subscribe", "member"),
    ]),
    guard: "signedIn",
  },
];

/** A guard is a loader that redirects the person who may not see the pages below. */
const guards: Record<string, LoaderFunction> = { signedIn: requireSignedIn };

export function guardNamed(name: string): LoaderFunction {
  return (
    guards[name] ??
    (() => {
      throw data("Unknown middleware", { status: 500 });
    })
  );
}

function routesOf(entry: RouteEntry, prefix: Prefix): RouteObject[] {
  if (entry.only && entry.only !== prefix) return [];
  const module = `src/${entry.file}.tsx`;
  const loadModule = modules[`/${module}`];
  if (!loadModule) throw new Error(`No page at ${module}`);
  const name = prefix ? `${prefix}:${entry.id}` : entry.id;
  const load = async () => {
    const [loaded] = await Promise.all([loadModule(), ...entry.texts.map(loadTexts)]);
    if (import.meta.env.SSR) await allLoaded();
    return loaded;
  };
  const common = {
    id: name,
    caseSensitive: true,
    lazy: () => loadOrReload(load),
    shouldRevalidate,
    handle: { module, texts: entry.texts, load } satisfies RouteHandle,
  };
  const children = entry.children?.flatMap((child) => routesOf(child, prefix));
  const route: RouteObject = entry.path === "" ? { ...common, index: true } : { ...common, path: entry.path, children };
  if (!entry.guard) return [route];
  // Checked once, on entering; after that a lost session shows in the page's own calls.
  const guard = { loader: guardNamed(entry.guard), shouldRevalidate: () => false };
  return [{ id: `${name}:guard`, ...guard, children: [route] }];
}

export type Prefix = "" | Locale;
/** What an address may begin with: nothing, which is the default language, or a language. */
export const prefixes = (): Prefix[] => ["", ...offeredLocales()];

/** The routes of all pages under a prefix, to be set below the root route. */
export const pageRoutes = (prefix: Prefix): RouteObject => ({
  id: prefix || "unprefixed",
  path: prefix,
  caseSensitive: true,
  children: routeTable.flatMap((entry) => routesOf(entry, prefix)),
});

/** In place of another language's pages: those are another document. */
export const redirectToDocument = (prefix: Prefix): RouteObject => ({
  path: `${prefix}/*`,
  loader: ({ request }) => redirectDocument(request.url),
});
