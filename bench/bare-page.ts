import { randomBytes } from "node:crypto";
import { createStaticHandler, RouterContextProvider } from "react-router";
import { siteOf } from "#app/site.server.ts";
import { withRootRoute } from "#pages/document.tsx";
import { pageSite } from "#pages/page-site.server.tsx";
import { renderPage } from "#pages/pages.server.tsx";
import { pageRoutes } from "#pages/routes.ts";
import { createSharedParts } from "#pages/shared-parts.server.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import { createCall } from "#platform/api/client/client.ts";
import { benchSettings, type createProduct, noAssets, publicUrl } from "./product.ts";

const nonce = randomBytes(16).toString("base64");

/** React's rendering of a page with the data that the product gives it now, as bytes to be sent. */
export async function barePage(
  product: ReturnType<typeof createProduct>,
  path: string,
  headers: Record<string, string>,
): Promise<() => Buffer<ArrayBuffer>> {
  const site = pageSite("fr", siteOf(benchSettings()), noAssets);
  const handler = createStaticHandler(withRootRoute([pageRoutes("")]));
  const requestContext = new RouterContextProvider();
  const transport = async (call: string, init: RequestInit) =>
    product.fetch(
      new Request(new URL(call, publicUrl), {
        ...init,
        headers: { ...headers, ...Object.fromEntries(new Headers(init.headers)) },
      }),
    );
  requestContext.set(callContext, createCall(transport));
  const context = await handler.query(new Request(publicUrl + path, { headers }), { requestContext });
  if (context instanceof Response) throw new Error(`${path} leads elsewhere`);
  return () => Buffer.from(renderPage(context, site, "fr", nonce, createSharedParts()));
}
