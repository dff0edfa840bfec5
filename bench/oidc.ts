import { randomBytes } from "node:crypto";
import { exportPKCS8, generateKeyPair, importPKCS8, SignJWT } from "jose";
import * as client from "openid-client";
import { openSession } from "#identity/session/session.server.ts";
import { addClient } from "#oidc/clients.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { Fresh } from "./cluster.ts";
import { type Result, race } from "./measures.ts";
import { createProduct, openProduct, publicUrl, registerMember } from "./product.ts";

const workers = 4;

interface Statement {
  /** Of a prepared one. */
  name?: string;
  text: string;
  values: unknown[];
}

function heldMegabytes(): number {
  // The bench is started with --expose-gc.
  for (let times = 0; times < 3; times += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_048_576;
}

type Get = (path: string, init?: RequestInit) => Response | Promise<Response>;

/** A web shop with somebody else's library, and browsers that follow its redirects. */
async function openWebShop(database: Database, get: Get) {
  const redirectUri = "https://shop.example/callback";
  const { id, secret = "" } = await addClient(database, {
    ...{ name: "Shop", redirectUris: [redirectUri], isPublic: false, firstParty: true },
  });
  const configuration = await client.discovery(new URL(publicUrl), id, undefined, client.ClientSecretBasic(secret), {
    execute: [client.allowInsecureRequests],
    [client.customFetch]: async (url, init) => get(url, init as RequestInit),
  });

  /** Signs in the browser with these cookies, which signs in there for the first time or again. */
  async function signIn(cookies: Map<string, string>) {
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    let url = client.buildAuthorizationUrl(configuration, {
      ...{ redirect_uri: redirectUri, scope: "openid email profile loyalty", state, code_challenge_method: "S256" },
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
    });
    while (url.origin === publicUrl) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const response = await get(url.href, { headers: { cookie } });
      for (const one of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
        if (value === "") cookies.delete(name);
        else cookies.set(name, value);
      }
      const location = response.headers.get("location");
      if (!location) throw new Error(`${url}: ${response.status}`);
      url = new URL(location, url);
    }
    return client.authorizationCodeGrant(configuration, url, {
      ...{ pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true },
    });
  }
  return { id, secret, configuration, signIn };
}

/** OpenID Connect: what a sign-in at a web shop costs in statements and memory, and its token endpoint in processor time. */
export async function measureOidc({ database, pool }: Fresh): Promise<Result[]> {
  const ask = openProduct(database);
  const member = await registerMember(ask, "oidc");
  const server = createProduct(database);
  await server.changes.start();
  const fetch: Get = (path, init) => server.fetch(new Request(new URL(path, publicUrl), init));
  const openBrowser = async () => {
    const { token } = await openSession(database, member.id, { device: null, authenticated: true });
    return new Map([["auth.token", token]]);
  };

  // The pages are loaded first: their memory is not the provider's.
  await fetch("/");
  const before = heldMegabytes();
  const shop = await openWebShop(database, fetch);
  const browser = await openBrowser();
  await shop.signIn(browser);
  const megabytes = heldMegabytes() - before;

  let statements: Statement[] = [];
  const { query } = database.$client;
  database.$client.query = ((...given: Parameters<typeof query>) => {
    const [asked, values] = given as unknown as [string | Statement, unknown[] | undefined];
    statements.push(
      typeof asked === "string"
        ? { text: asked, values: values ?? [] }
        : { ...asked, values: asked.values ?? values ?? [] },
    );
    return query.apply(database.$client, given);
  }) as typeof query;
  const counted = async <T>(work: () => Promise<T>) => {
    statements = [];
    const value = await work();
    const made = statements;
    statements = [];
    return { value, statements: made };
  };
  const newBrowser = await openBrowser();
  const first = await counted(() => shop.signIn(newBrowser));
  const again = await counted(() => shop.signIn(browser));
  const tokens = await Promise.all(
    Array.from({ length: workers }, async () => (await shop.signIn(await openBrowser())).refresh_token ?? ""),
  );
  const refreshed = await counted(() => client.refreshTokenGrant(shop.configuration, tokens[0] ?? ""));
  tokens[0] = refreshed.value.refresh_token ?? "";
  database.$client.query = query;

  const authorization = `Basic ${Buffer.from(`${shop.id}:${shop.secret}`).toString("base64")}`;
  const ours = async (worker: number) => {
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: tokens[worker] ?? "" });
    const response = await fetch("/oidc/token", { method: "POST", body, headers: { authorization } });
    if (response.status !== 200) throw new Error(await response.text());
    tokens[worker] = ((await response.json()) as { refresh_token: string }).refresh_token;
  };
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const key = await importPKCS8(await exportPKCS8(privateKey), "ES256");
  const claims = refreshed.value.claims() ?? {};
  /** The same statements and the same signature, by hand. */
  const bare = async () => {
    const request = new Request(`${publicUrl}/oidc/token`, {
      method: "POST",
      body: new URLSearchParams({ refresh_token: "x" }),
    });
    new URLSearchParams(await request.text()).get("refresh_token");
    for (const { name, text, values } of refreshed.statements) await pool.query({ name, text, values });
    const idToken = await new SignJWT({ ...claims }).setProtectedHeader({ alg: "ES256" }).setIssuedAt().sign(key);
    const [access, refresh] = [randomBytes(32).toString("base64url"), randomBytes(32).toString("base64url")];
    await Response.json({ access_token: access, refresh_token: refresh, id_token: idToken }).text();
  };
  // The library is large: it takes this many requests until all of it is compiled.
  for (let times = 0; times < 600; times += 1) for (const work of [bare, ours]) await work(0);
  const raced = await race(bare, ours, { atOnce: workers, rounds: 20 });
  await server.changes.stop();
  return [
    {
      what: "a refresh at the token endpoint: its processor time to a handler with jose and the same statements",
      metrics: raced.metrics,
      ratio: raced.byProcessor ?? raced.ratio,
      most: 2,
    },
    { what: "the provider, loaded and used once: megabytes held", metrics: "", ratio: megabytes, most: 25 },
    {
      what: "a first sign-in at a shop with a session here: statements, until the shop has its tokens",
      metrics: `${again.statements.length} when the shop signs the same browser in again`,
      ratio: first.statements.length,
      most: 18,
    },
  ];
}
