import type { Site } from "#shell/site.tsx";

/** How many are remembered of one language and page; an address that no page has is a part of some too. */
const most = 100;

/** Renders the parts that all visitors of an address share (src/ui/lazy.tsx#sharedPart), each once. */
export type SharedParts = (site: Site, path: string, number: string, render: () => string) => string;

/** They depend on the address and on the site, which has one language, alone: no customer's data is in them. */
export function createSharedParts(): SharedParts {
  const ofSites = new WeakMap<Site, Map<string, string>>();
  return (site, path, number, render) => {
    const parts = ofSites.get(site) ?? new Map<string, string>();
    ofSites.set(site, parts);
    const key = `${number} ${path}`;
    const html = parts.get(key) ?? render();
    // Anybody can ask for addresses that no one else asks for.
    if (parts.size >= most) parts.clear();
    parts.set(key, html);
    return html;
  };
}
