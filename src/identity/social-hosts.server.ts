import type { TrustedHosts } from "#platform/requests.server.ts";
import type { Settings } from "#platform/settings.server.ts";

/** What a page may load, ask and frame of the providers that are configured. The sandbox's are this very site. */
export function providerHosts({ google, facebook }: Pick<Settings, "google" | "facebook">): TrustedHosts {
  const configured = [
    { script: google?.scriptUrl, service: google?.issuer },
    { script: facebook?.sdkUrl, service: facebook?.graphUrl },
  ].flatMap(({ script, service }) =>
    // An address without a host is our own, and needs no permission.
    script && service && URL.canParse(script) ? [{ script: originOf(script), service: originOf(service) }] : [],
  );
  const scripts = configured.map(({ script }) => script);
  const services = configured.flatMap(({ service }) => [service, ...familyOf(service)]);
  const all = [...new Set([...scripts, ...services])];
  return { script: scripts, connect: all, frame: all };
}

function originOf(url: string): string {
  return new URL(url).origin;
}

/** The SDK's windows and frames live beside its graph: graph.provider.example stands for *.provider.example. */
function familyOf(origin: string): string[] {
  return origin.startsWith("https://graph.") ? [origin.replace("//graph.", "//*.")] : [];
}
