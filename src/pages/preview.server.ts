import { RouterContextProvider } from "react-router";
import { defaultLocale, type Locale, localePath } from "#i18n/locale.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import { createCall } from "#platform/api/client/client.ts";
import type { Assets } from "#platform/assets.ts";
import { Refusal } from "#platform/refusal.ts";
import { type InstalledSite, pageSite } from "./page-site.server.tsx";
import { modulesOf, pageHandler, renderPage } from "./pages.server.tsx";
import { createSharedParts } from "./shared-parts.server.ts";

/**
 * A page for a person who does not exist: its reading calls are answered by the caller, nothing else is. Without its
 * script, which would ask the API.
 */
export function createPreview(options: { site: InstalledSite; assetsOf: (modules: string[]) => Assets }) {
  return async (page: { path: string; locale: Locale; read: (line: string) => unknown }): Promise<string> => {
    const { locale } = page;
    const handler = pageHandler(locale === defaultLocale() ? "" : locale);
    const requestContext = new RouterContextProvider();
    requestContext.set(
      callContext,
      createCall(async (_path, _init, line) => ({ status: 200, json: async () => page.read(line) })),
    );
    // The pages ask whether there is a session's cookie before they ask who is signed in.
    const request = new Request(new URL(localePath(locale, page.path), options.site.publicUrl), {
      headers: { cookie: "auth.token=preview" },
    });
    const context = await handler.query(request, { requestContext });
    if (context instanceof Response) throw new Refusal("not_found");
    const site = pageSite(locale, { ...options.site, sandbox: false }, options.assetsOf(modulesOf(context, locale)));
    return renderPage(context, site, locale, "", createSharedParts())
      .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "")
      .replace(/<link\b[^>]*rel="(?:modulepreload|manifest)"[^>]*>/g, "");
  };
}
