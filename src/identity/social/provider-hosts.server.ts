import type { TrustedHosts } from "#platform/api/requests.server.ts";
import { sdkLanguages } from "./facebook.ts";
import type { SocialProviderSettings } from "./settings.server.ts";

/**
 * What a page may load, ask and frame of the providers that are configured. Scripts by their exact address: a provider's
 * host answers much else, and some of it can be made to run as a script. The sandbox's providers are this very site.
 */
export function providerHosts({ google, facebook }: SocialProviderSettings): TrustedHosts {
  const trusted = [
    // Everything Google's script asks for and frames stands beside it, under /gsi/.
    ...(google && isForeign(google.scriptUrl)
      ? [{ scripts: [google.scriptUrl], services: [sourceOf(new URL(".", google.scriptUrl).href)] }]
      : []),
    ...(facebook && isForeign(facebook.sdkUrl)
      ? [{ scripts: sdkLanguages(facebook.sdkUrl), services: familyOf(new URL(facebook.graphUrl).origin) }]
      : []),
  ];
  const services = trusted.flatMap((provider) => provider.services);
  return { script: trusted.flatMap(({ scripts }) => scripts.map(sourceOf)), connect: services, frame: services };
}

/** An address without a host is our own, and needs no permission. */
function isForeign(url: string): boolean {
  return URL.canParse(url);
}

/** A policy ignores a source with a query; a comma or semicolon would end it. */
function sourceOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replaceAll(",", "%2C").replaceAll(";", "%3B");
}

/** The SDK's windows and frames live beside its graph: graph.provider.example stands for *.provider.example. */
function familyOf(origin: string): string[] {
  return origin.startsWith("https://graph.") ? [origin, origin.replace("//graph.", "//*.")] : [origin];
}
