import { data, type LoaderFunction, type RouteObject, redirectDocument } from "react-router";
import { loadTexts, type TextPart } from "#i18n/catalogues.ts";
import { locales } from "#i18n/locale.ts";
import { pagePaths } from "#identity/paths.ts";
import { requireSignedIn } from "#identity/session/session.ts";
import { clubPath } from "#loyalty/paths.ts";
import { shouldRevalidate } from "#platform/api/form.ts";
import { orReload } from "#shell/navigation/chunk-failure.ts";
import type { Prefetchable } from "#shell/navigation/prefetch.ts";
import { posterPath } from "#shop/paths.ts";

/** A page module: what React Router calls a lazy route. */
type PageModule = Pick<RouteObject, "loader" | "action" | "Component">;

const modules = import.meta.glob<PageModule>(["/src/**/*.page.tsx", "/src/**/*.layout.tsx"]);

/** What a route tells the server: which module to preload, and which texts; and the browser: how to bring both. */
export interface RouteHandle extends Prefetchable {
  module: string;
  texts: TextPart[];
}

interface Place {
  /** Its name, as code and specification call it. */
  id: string;
  path?: string;
  /** Its module below `src/`: `room/name.page` or `room/name.layout`. */
  file: string;
  /** The guard every page below must pass. */
  guard?: string;
  /** The parts of the catalogue it speaks itself; what stands around it brings its own. */
  texts: TextPart[];
  /** Stands under this language's prefix alone. */
  only?: (typeof locales)[number];
  children?: Place[];
}

const page = (id: string, path: string, file: string, ...texts: TextPart[]): Place => ({
  id,
  // React Router's paths are relative to the prefix around them.
  path: path.slice(1),
  file: `${file}.page`,
  texts,
});
/** What a mailed link opens, or asks for one. */
const linked = (id: string, path: string, file: string) => page(id, path, file, "links");
const layout = (id: string, file: string, texts: TextPart, children: Place[]): Place => ({
  id,
  file: `${file}.layout`,
  texts: [texts],
  children,
});

/** Every address of the product, once. Each stands unprefixed (French) and under /fr, /en and /de. */
const places: Place[] = [
  page("index", pagePaths.home, "shell/home", "public"),
  page("error", pagePaths.error, "shell/error", "public"),
  page("loyalty", clubPath, "loyalty/programme/loyalty", "public"),
  page("store-qrcode", posterPath, "shop/qrcode", "public"),
  layout("auth-layout", "identity/sign-in/auth", "identity", [
    page("authenticate-login", pagePaths.login, "identity/sign-in/login", "entrance"),
    page("authenticate-register", pagePaths.register, "identity/registration/register", "entrance"),
    linked("forget", pagePaths.forget, "identity/password/password"),
    linked("reset", pagePaths.reset, "identity/password/password"),
    linked("reinitialiser", pagePaths.reinitialiser, "identity/password/password"),
    linked("password-new", pagePaths.passwordNew, "identity/password/password"),
    linked("password-reset", pagePaths.passwordReset, "identity/password/password"),
    linked("password-validate", pagePaths.passwordValidate, "identity/password/password"),
    linked("password-components-BackToLogin", "/password/components/BackToLogin", "identity/password/password-part"),
    linked(
      "password-components-NewPasswordForm",
      "/password/components/NewPasswordForm",
      "identity/password/password-part",
    ),
    linked("password-components-ResetForm", "/password/components/ResetForm", "identity/password/password-part"),
    linked("password-components-SentReset", "/password/components/SentReset", "identity/password/password-part"),
    {
      ...linked(
        "password-components-PasswordLayout",
        "/password/components/PasswordLayout",
        "identity/password/password-layout",
      ),
      only: "de",
    },
    linked("account-autologin", pagePaths.autologin, "identity/sign-in/autologin"),
    linked("account-email", pagePaths.confirmEmail, "identity/address/email"),
  ]),
  {
    ...layout("account-layout", "shell/account", "account", [
      page("account", pagePaths.account, "shell/account", "member"),
      page("account-informations", pagePaths.informations, "identity/profile/informations", "identity", "informations"),
      page("account-loyalty-subscribe", pagePaths.memberPage, "loyalty/member-page/subscribe", "identity", "member"),
    ]),
    guard: "signedIn",
  },
];

/** Sends away who may not pass. */
const guards: Record<string, LoaderFunction> = { signedIn: requireSignedIn };

export function guardNamed(name: string): LoaderFunction {
  return (
    guards[name] ??
    (() => {
      throw data("Unknown middleware", { status: 500 });
    })
  );
}

function routeOf(place: Place, prefix: Prefix): RouteObject[] {
  if (place.only && place.only !== prefix) return [];
  const module = `src/${place.file}.tsx`;
  const load = modules[`/${module}`];
  if (!load) throw new Error(`No page at ${module}`);
  const name = prefix ? `${prefix}:${place.id}` : place.id;
  const bring = async () => (await Promise.all([load(), ...place.texts.map(loadTexts)]))[0];
  const common = {
    id: name,
    caseSensitive: true,
    lazy: () => orReload(bring),
    shouldRevalidate,
    handle: { module, texts: place.texts, bring } satisfies RouteHandle,
  };
  const children = place.children?.flatMap((child) => routeOf(child, prefix));
  const route: RouteObject = place.path === "" ? { ...common, index: true } : { ...common, path: place.path, children };
  if (!place.guard) return [route];
  // Passed once at the door; whoever is signed out meanwhile is told by the page's own calls.
  const guard = { loader: guardNamed(place.guard), shouldRevalidate: () => false };
  return [{ id: `${name}:guard`, ...guard, children: [route] }];
}

/** What an address may begin with: nothing, which is French, or a language. */
export const prefixes = ["", ...locales] as const;
export type Prefix = (typeof prefixes)[number];

/** The pages as they stand under a prefix, to be set inside the document. */
export const pagesUnder = (prefix: Prefix): RouteObject => ({
  id: prefix || "unprefixed",
  path: prefix,
  caseSensitive: true,
  children: places.flatMap((place) => routeOf(place, prefix)),
});

/** In place of another language's pages: they are another document. */
export const elsewhere = (prefix: Prefix): RouteObject => ({
  path: `${prefix}/*`,
  loader: ({ request }) => redirectDocument(request.url),
});
