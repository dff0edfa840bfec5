import { ownName } from "#platform/settings.server.ts";

/** The headers that a proxy adds to a request it forwards. */
const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

/**
 * Whether a request was made on this machine, to one of its own names. The mailbox gives access to every account, so a
 * request through a proxy, or to a name of another person's DNS that points here (DNS rebinding), must not reach it.
 */
export function isLocalRequest(request: Request, publicName: string | undefined): boolean {
  if (forwardingHeaders.some((name) => request.headers.has(name))) return false;
  const isOwn = (name: string) => ownName.test(name) || name === publicName;
  const host = request.headers.get("host");
  // The request line may name another host than the Host header: both are checked.
  return isOwn(new URL(request.url).hostname) && (host === null || isOwn(hostnameOf(host)));
}

function hostnameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
}
