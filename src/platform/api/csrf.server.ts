/**
 * Whether one of our own pages sent the request, for the CSRF check: by Origin and Sec-Fetch-Site, which browsers set
 * themselves and scripts cannot. Without either of them it is unknown.
 * Requests are refused by request-checks.server.ts#refuseCrossSite, api.server.ts#openByCookie, pages.server.tsx and oidc/routes.server.ts.
 */
export function requestSite(request: Request, publicOrigin: string): "same-origin" | "cross-site" | "unknown" {
  const site = request.headers.get("sec-fetch-site");
  // Trusted even where the configured address is spelled otherwise, 127.0.0.1 for localhost.
  if (site === "same-origin") return "same-origin";
  const origin = request.headers.get("origin");
  const isOtherSite = site !== null && site !== "none";
  if (isOtherSite || (origin !== null && origin !== publicOrigin)) return "cross-site";
  return origin === publicOrigin ? "same-origin" : "unknown";
}
