import { readFile } from "node:fs/promises";
import { exportJWK, generateKeyPair, importJWK, importPKCS8, type JWK, SignJWT } from "jose";
import { z } from "zod";
import type { WalletSettings } from "#loyalty/wallet/settings.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { storedKey } from "#platform/database/keys/stored-keys.server.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const scope = "https://www.googleapis.com/auth/wallet_object.issuer";
const algorithm = "RS256";
const timeoutMs = 8_000;
/** An access token is renewed this long before it expires. */
const marginSeconds = 60;

/** A service account's key file, in Google's format. */
const ServiceAccount = z.object({
  client_email: z.string(),
  private_key: z.string(),
  private_key_id: z.string().optional(),
  token_uri: z.url().optional(),
});

/** The key that signs passes, and the addresses of Google's API. */
interface Signer {
  issuerId: string;
  email: string;
  keyId: string | undefined;
  key: CryptoKey;
  saveUrl: string;
  apiUrl: string;
  tokenUrl: string;
}

export interface GoogleIssuer {
  issuerId: string;
  /** A signed link that saves the pass described by the payload. */
  saveUrl(payload: object): Promise<string>;
  /** Updates an object at Google; returns false when no one has saved it. */
  patch(objectId: string, body: object): Promise<boolean>;
}

export const sandboxKeyName = "google-wallet";
/** The path of the sandbox's wallet. */
const sandboxWallet = "/sandbox/wallet/google";

interface Dependencies {
  settings: WalletSettings;
  database: Database;
  fetch: Fetch;
}

/** Whether a key is configured; whether it can be read is found out at its first use. */
export function googleConfigured({ googleWallet, sandbox }: WalletSettings): boolean {
  return googleWallet.keyFile !== undefined || sandbox;
}

/** Opens the issuer at its first use; undefined when there is no usable key. */
export function createGoogleIssuer(deps: Dependencies): () => Promise<GoogleIssuer | undefined> {
  let opened: GoogleIssuer | undefined;
  return async () => {
    if (opened) return opened;
    const signer = await openSigner(deps);
    if (signer) opened = issuerOf(signer, deps.fetch, deps.settings);
    return opened;
  };
}

async function openSigner({ settings, database }: Dependencies): Promise<Signer | undefined> {
  const { keyFile, issuerId = "", apiUrl, tokenUrl } = settings.googleWallet;
  const publicUrl = settings.publicUrl.origin;
  if (keyFile) {
    // A missing or invalid file is read again at the next call: it may have been put in place by then.
    const account = await readFile(keyFile, "utf8")
      .then((text) => ServiceAccount.parse(JSON.parse(text)))
      .catch(() => undefined);
    const key = account && (await importPKCS8(account.private_key, algorithm).catch(() => undefined));
    if (!account || !key) return undefined;
    return {
      issuerId,
      email: account.client_email,
      keyId: account.private_key_id,
      key,
      saveUrl: "https://pay.google.com/gp/v/save/",
      apiUrl: apiUrl ?? "https://walletobjects.googleapis.com",
      tokenUrl: tokenUrl ?? account.token_uri ?? "https://oauth2.googleapis.com/token",
    };
  }
  if (!settings.sandbox) return undefined;
  const jwk = await storedKey<JWK>(database, sandboxKeyName, async () => {
    const pair = await generateKeyPair(algorithm, { extractable: true });
    return exportJWK(pair.privateKey);
  });
  return {
    issuerId: issuerId || "3388000000000000000",
    email: "wallet@sandbox.cercle.example",
    keyId: undefined,
    // An RSA key is imported as a CryptoKey; only symmetric ones come as bytes.
    key: (await importJWK(jwk, algorithm)) as CryptoKey,
    saveUrl: `${publicUrl}${sandboxWallet}/save/`,
    apiUrl: `${publicUrl}${sandboxWallet}`,
    tokenUrl: `${publicUrl}${sandboxWallet}/token`,
  };
}

function issuerOf(signer: Signer, send: Fetch, settings: WalletSettings): GoogleIssuer {
  const { issuerId, email, key, apiUrl, tokenUrl } = signer;
  const header = { alg: algorithm, typ: "JWT", ...(signer.keyId && { kid: signer.keyId }) };
  let token: { value: string; expiresAt: number } | undefined;

  /** OAuth 2.0 JWT bearer grant: an assertion signed by our key is exchanged for an access token of an hour. */
  async function accessToken(): Promise<string> {
    if (token && token.expiresAt > Date.now()) return token.value;
    const assertion = await new SignJWT({ scope })
      .setProtectedHeader(header)
      .setIssuer(email)
      .setAudience(tokenUrl)
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(key);
    const response = await send(tokenUrl, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) throw new Error(`The wallet's token was refused: ${response.status}`);
    const { access_token, expires_in } = z
      .object({ access_token: z.string(), expires_in: z.number() })
      .parse(await response.json());
    token = { value: access_token, expiresAt: Date.now() + (expires_in - marginSeconds) * 1_000 };
    return access_token;
  }

  return {
    issuerId,
    async saveUrl(payload) {
      const jwt = await new SignJWT({ typ: "savetowallet", origins: [settings.publicUrl.origin], payload })
        .setProtectedHeader(header)
        .setIssuer(email)
        .setAudience("google")
        .setIssuedAt()
        .sign(key);
      return signer.saveUrl + jwt;
    },
    async patch(objectId, body) {
      const response = await send(`${apiUrl}/walletobjects/v1/loyaltyObject/${encodeURIComponent(objectId)}`, {
        method: "PATCH",
        headers: { authorization: `Bearer ${await accessToken()}`, "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      if (response.status === 404) return false;
      // A token that is no longer accepted is renewed when the job is retried.
      if (response.status === 401) token = undefined;
      if (response.status !== 200) throw new Error(`The wallet refused an update: ${response.status}`);
      return true;
    },
  };
}
