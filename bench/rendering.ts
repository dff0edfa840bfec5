import { setImmediate } from "node:timers/promises";
import { barePage } from "./bare-page.ts";
import type { Fresh } from "./cluster.ts";
import { type Result, race } from "./measures.ts";
import { createProduct, openProduct, publicUrl, registerMember } from "./product.ts";

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
    const render = await barePage(product, path, headers);
    const bare = async () => render();
    const what = `server rendering, ${path}: the page to its bare rendering`;
    results.push({ what, ...(await race(inTurn(page), inTurn(bare))), least });
  }
  await product.changes.stop();
  return results;
}
