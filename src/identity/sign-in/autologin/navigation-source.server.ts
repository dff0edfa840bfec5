import type { NavigationSource } from "./navigation-source.ts";

/**
 * Where the navigation to a page came from, by Sec-Fetch-Site and Referer, which pages of other sites cannot forge. They can
 * leave the referrer out: a browser that sends neither tells nothing.
 */
export function navigationSource(
  { headers }: Pick<Request, "headers">,
  { publicUrl, shopUrl }: { publicUrl: string; shopUrl: string },
): NavigationSource {
  const referrer = originOf(headers.get("referer"));
  // The sandbox's own shop is a path of this site.
  if (referrer !== undefined && referrer === originOf(shopUrl, publicUrl)) return "shop";
  const site = headers.get("sec-fetch-site");
  if (site === "none" || site === "same-origin") return "direct";
  return site === null && referrer === originOf(publicUrl) ? "direct" : "elsewhere";
}

function originOf(url: string | null, base?: string): string | undefined {
  return url !== null && URL.canParse(url, base) ? new URL(url, base).origin : undefined;
}
