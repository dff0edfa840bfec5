import type { LoaderFunction, RouteObject } from "react-router";
import { locales } from "#i18n/locale.ts";

/** A page module: what React Router calls a lazy route. */
type PageModule = Pick<RouteObject, "loader" | "action" | "Component" | "ErrorBoundary" | "shouldRevalidate">;

const modules = import.meta.glob<PageModule>(["./*/*.page.tsx", "./*/*.layout.tsx"]);

/** What a route tells the server: which module to preload. */
export interface RouteHandle {
  module: string;
}

interface Place {
  id: string;
  path?: string;
  /** `room/name.page` or `room/name.layout`. */
  file: string;
  /** Only in this language. */
  only?: (typeof locales)[number];
  children?: Place[];
}

const page = (id: string, path: string, file: string): Place => ({ id, path, file: `${file}.page` });

/** Every address of the product, once. Each stands unprefixed (French) and under /fr, /en and /de. */
const places: Place[] = [page("index", "", "shell/home"), page("error", "error", "shell/error")];

/** Who may pass. A layout names its guard; the guard sends the others away. */
export type Guards = Record<string, LoaderFunction>;

function routeOf(place: Place, prefix: string): RouteObject[] {
  const locale = prefix || "fr";
  if (place.only && (place.only !== locale || !prefix)) return [];
  const module = `./${place.file}.tsx`;
  const load = modules[module];
  if (!load) throw new Error(`No page at ${module}`);
  return [
    {
      id: prefix ? `${prefix}:${place.id}` : place.id,
      path: place.path,
      caseSensitive: true,
      lazy: load,
      handle: { module: module.replace(/^\./, "src") } satisfies RouteHandle,
      children: place.children?.flatMap((child) => routeOf(child, prefix)),
    },
  ];
}

/** The pages in all their forms, to stand inside the document. */
export const pageRoutes: RouteObject[] = ["", ...locales].map((prefix) => ({
  id: prefix || "unprefixed",
  path: prefix,
  caseSensitive: true,
  children: places.flatMap((place) => routeOf(place, prefix)),
}));
