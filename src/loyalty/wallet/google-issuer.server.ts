import { readFile } from "node:fs/promises";
import { exportJWK, generateKeyPair, importJWK, importPKCS8, type JWK, SignJWT } from "jose";
import { z } from "zod";
import type { Database } from "#platform/database/database.server.ts";
import { storedKey } from "#platform/database/stored-keys.server.ts";
import type { Settings } from "#platform/settings.server.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const scope = "https://www.googleapis.com/auth/wallet_object.issuer";
const algorithm = "RS256";
const timeoutMs = 8_000;
/** A token is asked for anew a little before it ends. */
const marginSeconds = 60;

/** A service account as the provider hands it out. */
const ServiceAccount = z.object({
  client_email: z.string(),
  private_key: z.string(),
  private_key_id: z.string().optional(),
  token_uri: z.url().optional(),
});

/** Who signs our passes, and where the provider takes their updates. */
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
  /** A link that saves the pass described by the payload, signed by us. */
  saveUrl(payload: object): Promise<string>;
  /** Tells the provider how an object looks now; false when nobody has saved it. */
  patch(objectId: string, body: object): Promise<boolean>;
}

export const sandboxKeyName = "google-wallet";
/** The sandbox's own wallet, under the product's address. */
const sandboxWallet = "/sandbox/wallet/google";

interface Parts {
  settings: Settings;
  database: Database;
  fetch: Fetch;
}

/** Whether anybody can sign at all; whether the key is there, only using it tells. */
export function googleConfigured({ googleWallet, sandbox }: Settings): boolean {
  return googleWallet.keyFile !== undefined || sandbox;
}

/** Opens the issuer when it is first needed; nothing when there is no key that can be used. */
export function createGoogleIssuer(parts: Parts): () => Promise<GoogleIssuer | undefined> {
  let opened: GoogleIssuer | undefined;
  return async () => {
    if (opened) return opened;
    const signer = await openSigner(parts);
    if (signer) opened = issuerOf(signer, parts.fetch, parts.settings);
    return opened;
  };
}

async function openSigner({ settings, database }: Parts): Promise<Signer | undefined> {
  const { keyFile, issuerId = "", apiUrl, tokenUrl } = settings.googleWallet;
  const publicUrl = settings.publicUrl.origin;
  if (keyFile) {
    // A file that is missing or no key is found again at the next call: it may have been put in place by then.
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
    // An RSA key in, an RSA key out; only symmetric ones come as bytes.
    key: (await importJWK(jwk, algorithm)) as CryptoKey,
    saveUrl: `${publicUrl}${sandboxWallet}/save/`,
    apiUrl: `${publicUrl}${sandboxWallet}`,
    tokenUrl: `${publicUrl}${sandboxWallet}/token`,
  };
}

function issuerOf(signer: Signer, send: Fetch, settings: Settings): GoogleIssuer {
  const { issuerId, email, key, apiUrl, tokenUrl } = signer;
  const header = { alg: algorithm, typ: "JWT", ...(signer.keyId && { kid: signer.keyId }) };
  let token: { value: string; endsAt: number } | undefined;

  /** The provider's own way: an assertion signed by our key, exchanged for a token of an hour. */
  async function accessToken(): Promise<string> {
    if (token && token.endsAt > Date.now()) return token.value;
    const assertion = await new SignJWT({ scope })
      .setProtectedHeader(header)
      .setIssuer(email)
      .setAudience(tokenUrl)
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(key);
    const answer = await send(tokenUrl, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (answer.status !== 200) throw new Error(`The wallet's token was refused: ${answer.status}`);
    const { access_token, expires_in } = z
      .object({ access_token: z.string(), expires_in: z.number() })
      .parse(await answer.json());
    token = { value: access_token, endsAt: Date.now() + (expires_in - marginSeconds) * 1_000 };
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
      const answer = await send(`${apiUrl}/walletobjects/v1/loyaltyObject/${encodeURIComponent(objectId)}`, {
        method: "PATCH",
        headers: { authorization: `Bearer ${await accessToken()}`, "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body?.cancel();
      if (answer.status === 404) return false;
      // A token the provider no longer takes is asked for anew when the job is tried again.
      if (answer.status === 401) token = undefined;
      if (answer.status !== 200) throw new Error(`The wallet refused an update: ${answer.status}`);
      return true;
    },
  };
}
