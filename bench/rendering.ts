import { createStaticHandler, RouterContextProvider } from "react-router";
import { callContext, createCall } from "#platform/client.ts";
import { renderPage } from "../src/pages.server.tsx";
import { routes } from "../src/root.tsx";
import type { Fresh } from "./cluster.ts";
import { type Result, race } from "./measures.ts";
import { createProduct, noAssets, openProduct, publicUrl, registerMember } from "./product.ts";

const least = 0.6;
const site = { publicUrl, shopUrl: "http://localhost", sandbox: true, social: {}, assets: noAssets };

/**
 * A page as a visitor gets it (headers, cookies, guards, its calls to the API and their queries), against React's
 * rendering of the same tree with the same data at hand.
 */
export async function measureRendering({ database }: Fresh): Promise<Result[]> {
  const product = createProduct(database);
  const member = await registerMember(openProduct(database), "page");
  const results: Result[] = [];
  for (const [path, personal] of [
    ["/authenticate/login", false],
    ["/loyalty", false],
    ["/account/loyalty/subscribe", true],
  ] as const) {
    const headers: Record<string, string> = personal
      ? { cookie: `auth.token=${member.headers.authorization.replace("Bearer ", "")}` }
      : {};
    const page = async () => {
      const response = await product.fetch(new Request(publicUrl + path, { headers }));
      if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
      // Nobody reads it here: to a port it is written as the bytes it is made of.
      await response.body?.cancel();
    };
    const handler = createStaticHandler(routes);
    const requestContext = new RouterContextProvider();
    const transport = async (call: string, init: RequestInit) =>
      product.fetch(
        new Request(new URL(call, publicUrl), {
          ...init,
          headers: { ...headers, ...Object.fromEntries(new Headers(init.headers)) },
        }),
      );
    requestContext.set(
      callContext,
      createCall(transport, () => {}),
    );
    const context = await handler.query(new Request(publicUrl + path, { headers }), { requestContext });
    if (context instanceof Response) throw new Error(`${path} leads elsewhere`);
    const bare = async () => renderPage(context, site, "fr", "");
    const what = `server rendering, ${path}: the page to its bare rendering`;
    // The member's page asks the database seven times, which no rendering does: for comparison.
    results.push({ what, ...(await race(page, bare)), ...(!personal && { least }) });
  }
  return results;
}
