import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { createStaticHandler, RouterContextProvider } from "react-router";
import { siteOf } from "#app/server.ts";
import { withRootRoute } from "#pages/document.tsx";
import { pageSite } from "#pages/page-site.server.tsx";
import { renderPage } from "#pages/pages.server.tsx";
import { pageRoutes } from "#pages/routes.ts";
import { callContext, createCall } from "#platform/api/client/client.ts";
import type { Fresh } from "./cluster.ts";
import { type Result, race } from "./measures.ts";
import { benchSettings, createProduct, noAssets, openProduct, publicUrl, registerMember } from "./product.ts";

const nonce = randomBytes(16).toString("base64");

/** Lets the event loop run in between, as between two requests; otherwise nothing is cleaned up. */
const inTurn = (work: () => Promise<unknown>) => async () => {
  await work();
  await setImmediate();
};

/**
 * A page as a visitor gets it (headers, cookies, guards, its calls to the API and their queries), against React's
 * rendering of the same tree with the same data at hand, both as bytes to be sent.
 */
export async function measureRendering({ database }: Fresh): Promise<Result[]> {
  const product = createProduct(database);
  await product.changes.start();
  const site = pageSite("fr", siteOf(benchSettings()), noAssets);
  const member = await registerMember(openProduct(database), "page");
  const results: Result[] = [];
  for (const { path, least, personal } of [
    { path: "/authenticate/login", least: 0.6, personal: false },
    { path: "/loyalty", least: 0.55, personal: false },
    { path: "/account/loyalty/subscribe", least: 0.5, personal: true },
  ]) {
    const headers: Record<string, string> = personal
      ? { cookie: `auth.token=${member.headers.authorization.replace("Bearer ", "")}` }
      : {};
    const page = async () => {
      const response = await product.fetch(new Request(publicUrl + path, { headers }));
      if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
    };
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
    const bare = async () => Buffer.from(renderPage(context, site, "fr", nonce));
    const what = `server rendering, ${path}: the page to its bare rendering`;
    results.push({ what, ...(await race(inTurn(page), inTurn(bare))), least });
  }
  await product.changes.stop();
  return results;
}
