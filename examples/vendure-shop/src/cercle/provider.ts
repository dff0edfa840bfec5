import * as oidc from "openid-client";
import { settings } from "../settings.ts";

let found: Promise<oidc.Configuration> | undefined;

/** Where Cercle signs customers in. Asked for once; again after a failure. */
export function findProvider(): Promise<oidc.Configuration> {
  const { cercleUrl, clientId, clientSecret } = settings;
  // On one machine there is no https.
  const execute = cercleUrl.startsWith("http:") ? [oidc.allowInsecureRequests] : [];
  found ??= oidc.discovery(new URL(cercleUrl), clientId, {}, oidc.ClientSecretBasic(clientSecret), { execute });
  found.catch(() => {
    found = undefined;
  });
  return found;
}

export const redirectUri = `${settings.shopUrl}/callback`;

/** The address of a sign-in, and what must be remembered until the customer is back. */
export async function beginSignIn() {
  const configuration = await findProvider();
  const begun = {
    codeVerifier: oidc.randomPKCECodeVerifier(),
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
  };
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: "openid email profile",
    code_challenge: await oidc.calculatePKCECodeChallenge(begun.codeVerifier),
    code_challenge_method: "S256",
    state: begun.state,
    nonce: begun.nonce,
  });
  return { url: url.href, begun };
}

/** Where the browser goes to sign out of Cercle too. */
export async function signOutUrl(idToken: string): Promise<string> {
  const ending = { id_token_hint: idToken, post_logout_redirect_uri: settings.shopUrl };
  return oidc.buildEndSessionUrl(await findProvider(), ending).href;
}
