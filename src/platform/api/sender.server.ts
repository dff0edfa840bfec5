/** Whose page sent this, by the headers that browsers set themselves and scripts cannot. */
export function senderOf(request: Request, publicOrigin: string): "own" | "foreign" | "untold" {
  const site = request.headers.get("sec-fetch-site");
  // Believed even where the configured address is spelled otherwise, 127.0.0.1 for localhost.
  if (site === "same-origin") return "own";
  const origin = request.headers.get("origin");
  const named = site !== null && site !== "none";
  if (named || (origin !== null && origin !== publicOrigin)) return "foreign";
  return origin === publicOrigin ? "own" : "untold";
}
