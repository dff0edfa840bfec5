import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

export interface Employee {
  sub: string;
  email: string;
  given_name: string;
  family_name: string;
  groups: string[];
  email_verified?: boolean | string;
}

/** A real OpenID Connect provider of a company, at which the person named last signs in without a page. Some end their name with a slash. */
export async function openCompanyProvider({ redirectUri, path = "" }: { redirectUri: string; path?: string }) {
  const employees = new Map<string, Employee>();
  let signingIn = "";
  let paused = false;
  const server = createServer((request, response) => void listen(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = origin + path;
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: "cercle", client_secret: "company secret", redirect_uris: [redirectUri] },
        grant_types: ["authorization_code", "refresh_token"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["given_name", "family_name", "groups"] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: "cercle", accountId: oidc.session?.accountId ?? "" });
      grant.addOIDCScope("openid email profile offline_access");
      await grant.save();
      return grant;
    },
    findAccount: (_context, sub) => {
      const employee = employees.get(sub);
      return employee && { accountId: sub, claims: () => ({ ...employee }) };
    },
  });
  const callback = provider.callback();
  async function listen(...[request, response]: Parameters<typeof callback>) {
    if (paused) return response.writeHead(503).end();
    if (!request.url?.startsWith("/interaction/")) return callback(request, response);
    return provider.interactionFinished(request, response, { login: { accountId: signingIn } });
  }

  /** A browser at the provider: the address at which it comes back with a code. */
  function openBrowser() {
    const cookies = new Map<string, string>();
    return async (address: string, employee: Employee): Promise<URL> => {
      employees.set(employee.sub, employee);
      signingIn = employee.sub;
      let url = new URL(address);
      for (let hops = 0; hops < 8 && url.origin === origin; hops += 1) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const response = await fetch(url, { redirect: "manual", headers: { cookie } });
        for (const one of response.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
          if (value === "") cookies.delete(name);
          else cookies.set(name, value);
        }
        const location = response.headers.get("location");
        if (!location) throw new Error(`The provider stays at ${url}: ${await response.text()}`);
        url = new URL(location, url);
      }
      return url;
    };
  }
  return {
    ...{ issuer, employees, openBrowser },
    pause: () => (paused = true),
    resume: () => (paused = false),
    close: () => server.close(),
  };
}
