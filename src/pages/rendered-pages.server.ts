/** How many documents are remembered; of one language, home and the pages it leads to are about ten. */
const most = 50;
/** A page may depend on the day. */
const rememberedMs = 60_000;

/**
 * Documents that React has rendered, by everything they were rendered from: the same data are the same document but for the
 * nonce, which is new in each response. For visitors without a session alone, since nobody else shares their data.
 */
export function createRenderedPages(now: () => number = () => performance.now()) {
  const pages = new Map<string, { parts: string[]; until: number }>();
  return (key: string, nonce: string, render: () => string): string => {
    const known = pages.get(key);
    if (known && now() < known.until) return known.parts.join(nonce);
    const html = render();
    // Anybody can ask for addresses that no one else asks for.
    if (pages.size >= most) pages.clear();
    pages.set(key, { parts: html.split(nonce), until: now() + rememberedMs });
    return html;
  };
}
