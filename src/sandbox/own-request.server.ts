import { ownName } from "#platform/settings.server.ts";

/** What a proxy adds to a request it passes on. */
const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

/**
 * Whether a request was made on this machine, to one of its own names. The mailbox opens every account, so a request
 * that came through a proxy, or by a name that somebody else's DNS made point here (DNS rebinding), does not reach it.
 */
export function isOwnRequest(request: Request, publicName: string | undefined): boolean {
  if (forwardingHeaders.some((name) => request.headers.has(name))) return false;
  const isOwn = (name: string) => ownName.test(name) || name === publicName;
  const host = request.headers.get("host");
  // A request line may name another host than the header does: both count.
  return isOwn(new URL(request.url).hostname) && (host === null || isOwn(hostnameOf(host)));
}

function hostnameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
}
