import { sdkLanguages } from "#identity/social/facebook/facebook.ts";
import type { TrustedHosts } from "#platform/api/requests.server.ts";
import type { SocialProviderSettings } from "./settings.server.ts";

/**
 * The content security policy's sources for the configured providers. Scripts by their exact address: a provider's host
 * serves much else, and some of it can be made to run as a script. The sandbox's providers are on this site itself.
 */
export function providerHosts({ google, facebook }: SocialProviderSettings): TrustedHosts {
  const trusted = [
    // Everything that Google's script requests and frames is under /gsi/, like the script.
    ...(google && isExternal(google.scriptUrl)
      ? [{ scripts: [google.scriptUrl], services: [sourceOf(new URL(".", google.scriptUrl).href)] }]
      : []),
    ...(facebook && isExternal(facebook.sdkUrl)
      ? [{ scripts: sdkLanguages(facebook.sdkUrl), services: siblingHosts(new URL(facebook.graphUrl).origin) }]
      : []),
  ];
  const services = trusted.flatMap((provider) => provider.services);
  return { script: trusted.flatMap(({ scripts }) => scripts.map(sourceOf)), connect: services, frame: services };
}

/** An address without a host is on this site, which the policy allows anyway. */
function isExternal(url: string): boolean {
  return URL.canParse(url);
}

/** A policy ignores a source with a query; a comma or semicolon would end it. */
function sourceOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replaceAll(",", "%2C").replaceAll(";", "%3B");
}

/** The SDK's windows and frames are on sibling hosts of its graph: for graph.provider.example also *.provider.example. */
function siblingHosts(origin: string): string[] {
  return origin.startsWith("https://graph.") ? [origin, origin.replace("//graph.", "//*.")] : [origin];
}
