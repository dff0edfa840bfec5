import { isIPv4, isIPv6 } from "node:net";
import { clientNetwork } from "#platform/limits/limits.server.ts";

/**
 * The network that a person signs in from, as its owner may recognise it: 203.0.113.0/24 or 2001:db8:1::/48. The part that
 * names one home is not stored. Of this machine's own address it says nothing.
 */
export function networkOf(address: string): string | null {
  const client = clientNetwork(address);
  if (isIPv4(client)) return client.startsWith("127.") ? null : `${client.split(".").slice(0, 3).join(".")}.0/24`;
  if (!isIPv6(address) || client === "0:0:0:0::/64") return null;
  return `${client.split(":").slice(0, 3).join(":")}::/48`;
}
