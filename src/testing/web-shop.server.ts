import { eq } from "drizzle-orm";
import * as client from "openid-client";
import { register } from "#identity/calls.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { openSession } from "#identity/session/session.server.ts";
import { addClient, type NewClient } from "#oidc/clients.server.ts";
import { registrationForm } from "./people.server.ts";
import type { openTestProduct } from "./product.server.ts";

type Product = Awaited<ReturnType<typeof openTestProduct>>;

/** A browser's cookies, by name; the paths of the cookies are not looked at. */
export function openCustomerBrowser({ fetch }: Pick<Product, "fetch">) {
  const cookies = new Map<string, string>();
  /** One request, without following a redirect. */
  async function browse(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await fetch(path, { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "" || /max-age=0|expires=Thu, 01 Jan 1970/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }
  /** Follows redirects and pages that lead on, until the address is one of another site, or a page stays. */
  async function follow(path: string, init?: RequestInit): Promise<{ url: URL; response: Response }> {
    let url = new URL(path, "http://localhost:3000");
    let response = await browse(path, init);
    for (let hops = 0; hops < 12; hops += 1) {
      const refresh =
        response.status === 200 ? /content="0; url=([^"]+)"/.exec(await response.clone().text())?.[1] : null;
      const location = response.headers.get("location") ?? refresh?.replaceAll("&amp;", "&");
      if (!location) return { url, response };
      const next = new URL(location, url);
      if (next.origin !== new URL("http://localhost:3000").origin) return { url: next, response };
      url = next;
      response = await browse(next.pathname + next.search);
    }
    throw new Error(`Redirected again and again: ${url}`);
  }
  return { cookies, browse, follow };
}

/** A web shop that signs customers in by OpenID Connect, with somebody else's library. */
export async function openWebShop(product: Product, options: Partial<NewClient> = {}) {
  const redirectUri = options.redirectUris?.[0] ?? "https://shop.example/callback";
  const added = await addClient(product.database, {
    ...{ name: "Boutique en ligne", redirectUris: [redirectUri], isPublic: false, firstParty: true },
    ...options,
  });
  return connectWebShop(product, added, redirectUri);
}

/** The web shop with its registration. */
export async function connectWebShop(product: Product, added: { id: string; secret?: string }, redirectUri: string) {
  const issuer = product.settings.publicUrl;
  const configuration = await client.discovery(
    issuer,
    added.id,
    undefined,
    added.secret ? client.ClientSecretBasic(added.secret) : client.None(),
    {
      execute: [client.allowInsecureRequests],
      [client.customFetch]: (url, init) => {
        const { pathname, search } = new URL(url);
        return product.fetch(pathname + search, init as RequestInit);
      },
    },
  );

  /** The address of the provider to which the shop sends a browser, and what it keeps until the answer. */
  async function begin(parameters: Record<string, string> = {}) {
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: "openid email profile loyalty",
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      ...parameters,
    });
    return { path: url.pathname + url.search, verifier, state };
  }
  const finish = (url: URL, { verifier, state }: { verifier: string; state: string }, checks = {}) =>
    client.authorizationCodeGrant(configuration, url, {
      ...{ pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true },
      ...checks,
    });

  /** The whole sign-in of a browser that is signed in here. */
  async function signIn(browser: ReturnType<typeof openCustomerBrowser>, parameters: Record<string, string> = {}) {
    const begun = await begin(parameters);
    const { url } = await browser.follow(begun.path);
    return finish(url, begun);
  }
  return { ...added, configuration, redirectUri, begin, finish, signIn };
}

/** Signs a customer in, in a browser of their own. */
export async function signedInBrowser(product: Product, customerId: number, { authenticated = true } = {}) {
  const browser = openCustomerBrowser(product);
  const { token, id } = await openSession(product.database, customerId, { device: null, authenticated });
  browser.cookies.set("auth.token", token);
  return { ...browser, sessionId: id };
}

/** A new customer, with what the shop will know them by. */
export async function addWebCustomer({ call, database }: Product) {
  const { AuthData } = await call(register, registrationForm());
  const [row] = await database.select().from(customers).where(eq(customers.id, AuthData.Customer.IdCustomer));
  if (!row) throw new Error("The customer is not there.");
  return { ...row, token: AuthData.Token };
}
