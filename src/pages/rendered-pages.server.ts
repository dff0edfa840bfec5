/** How many documents are remembered; of one language, home and the pages it leads to are about ten. */
const most = 50;
/** A page may depend on the day. */
const rememberedMs = 60_000;

/**
 * Documents that React has rendered, by everything they were rendered from: the same data are the same document but for the
 * nonce, which is new in each response. For visitors without a session alone, since nobody else shares their data.
 */
export function createRenderedPages(now: () => number = () => performance.now()) {
  // As bytes: to encode a document again takes longer than to copy it.
  const pages = new Map<string, { parts: Buffer<ArrayBuffer>[]; until: number }>();
  return (key: string, nonce: string, render: () => string): Buffer<ArrayBuffer> => {
    let known = pages.get(key);
    if (!known || now() >= known.until) {
      const parts = render().split(nonce);
      known = { parts: parts.map((part) => Buffer.from(part)), until: now() + rememberedMs };
      // Anybody can ask for addresses that no one else asks for.
      if (pages.size >= most) pages.clear();
      pages.set(key, known);
    }
    const between = Buffer.from(nonce);
    return Buffer.concat(known.parts.flatMap((part, index) => (index === 0 ? [part] : [between, part])));
  };
}
