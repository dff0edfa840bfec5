import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { BlockList, isIP } from "node:net";

/**
 * Addresses that no endpoint may have: anyone who names one could make the server call its own network. Each family has a
 * list of its own, because a list compares IPv4 addresses with mapped IPv6 networks too and would refuse them all.
 */
const refused = { 4: new BlockList(), 6: new BlockList() };
const loopback = new BlockList();

const networks4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  // Multicast, reserved, broadcast.
  ...["224.0.0.0/4", "240.0.0.0/4"],
];
const networks6 = [
  // Unspecified, loopback and IPv4-compatible; mapped; translated; NAT64.
  ...["::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"],
  // Discard, Teredo and other protocols, documentation, 6to4.
  ...["100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
  // Unique-local, link-local, site-local, multicast.
  ...["fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"],
];
for (const [family, networks] of [["ipv4", networks4] as const, ["ipv6", networks6] as const])
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    refused[family === "ipv4" ? 4 : 6].addSubnet(address, Number(bits), family);
  }
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** On the sandbox a receiver may run on this machine. */
export interface AddressRules {
  sandbox: boolean;
}

/** Why the server must not connect, as the log of attempts says it. */
export const addressRefused = "ADDRESS_REFUSED";

function refusesAddress(address: string, { sandbox }: AddressRules): boolean {
  const version = isIP(address);
  if (version !== 4 && version !== 6) return true;
  const family = version === 4 ? "ipv4" : "ipv6";
  if (sandbox && loopback.check(address, family)) return false;
  return refused[version].check(address, family);
}

/** The host of a URL as an address, if it is one: no look-up happens then. */
const literalOf = (url: URL): string | undefined => {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) ? host : undefined;
};

/** Whether a URL can be an endpoint's: https, without credentials, and not an address that is refused. */
export function refusesUrl(url: URL, rules: AddressRules): boolean {
  const protocols = rules.sandbox ? ["https:", "http:"] : ["https:"];
  if (!protocols.includes(url.protocol) || url.username || url.password || url.href.length > 500) return true;
  const literal = literalOf(url);
  return literal !== undefined && refusesAddress(literal, rules);
}

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Resolves a name to addresses that may be called. The connection goes to these very ones: the name is not asked again. */
export function createLookup(rules: AddressRules) {
  return (host: string, options: LookupOptions, found: Found): void => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const allowed = error ? [] : addresses.filter(({ address }) => !refusesAddress(address, rules));
      const [first] = allowed;
      if (error || !first) found(error ?? Object.assign(new Error(addressRefused), { code: addressRefused }), []);
      else if (options.all) found(null, allowed);
      else found(null, first.address, first.family);
    });
  };
}
