import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { WalletSettings } from "#loyalty/wallet/settings.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { storedKey } from "#platform/database/keys/stored-keys.server.ts";

/** The certificates and key that sign passes for Apple Wallet, as PEM, and the pass's authentication tokens. */
export interface AppleSigner {
  passTypeId: string;
  teamId: string;
  certificate: string;
  key: string;
  /** The intermediate certificate between ours and the root. */
  authority: string;
  /** Whether Apple issued the certificate: phones accept no other, so there is nothing to push to. */
  trusted: boolean;
  /** The authentication token of a pass, derived from its serial number and its count of tokens, so that it is not stored. */
  tokenOf(pass: PassKey): string;
}

/** Identifies one authentication token of a pass. */
export interface PassKey {
  serial: string;
  tokenNumber: number;
}

type Pems = Pick<AppleSigner, "certificate" | "key" | "authority">;

const sandboxPassType = "pass.example.cercle.sandbox";
const sandboxTeam = "SANDBOX000";

export function appleConfigured({ appleWallet, sandbox }: WalletSettings): boolean {
  return appleWallet !== undefined || sandbox;
}

/** Opens the signer at its first use; undefined when there are no usable certificates. */
export function createAppleSigner({ settings, database }: { settings: WalletSettings; database: Database }) {
  let opened: AppleSigner | undefined;
  return async (): Promise<AppleSigner | undefined> => {
    opened ??= await openSigner(settings, database);
    return opened;
  };
}

async function openSigner(settings: WalletSettings, database: Database): Promise<AppleSigner | undefined> {
  const given = settings.appleWallet;
  if (!given && !settings.sandbox) return undefined;
  const pems = given
    ? await readFiles(given)
    : await storedKey<Pems>(database, "apple-wallet", async () => {
        const { makeCertificates } = await import("./sandbox-certificates.server.ts");
        return makeCertificates(sandboxPassType, sandboxTeam);
      });
  if (!pems) return undefined;
  const { secret } = await storedKey(database, "apple-pass-token", async () => ({
    secret: randomBytes(32).toString("base64url"),
  }));
  return {
    ...pems,
    passTypeId: given?.passTypeId ?? sandboxPassType,
    teamId: given?.teamId ?? sandboxTeam,
    trusted: given !== undefined,
    // The first token is that of the serial number alone: passes were issued before they had more than one.
    tokenOf: ({ serial, tokenNumber }) =>
      createHmac("sha256", secret)
        .update(tokenNumber === 0 ? serial : `${serial}:${tokenNumber}`)
        .digest("base64url"),
  };
}

/** Files that are missing or invalid are read again at the next call. */
async function readFiles(given: NonNullable<WalletSettings["appleWallet"]>): Promise<Pems | undefined> {
  try {
    const [certificate = "", key = "", authority = ""] = await Promise.all(
      [given.certFile, given.keyFile, given.wwdrFile].map((path) => readFile(path, "utf8")),
    );
    const { pki } = (await import("node-forge")).default;
    pki.certificateFromPem(certificate);
    pki.certificateFromPem(authority);
    pki.privateKeyFromPem(key);
    return { certificate, key, authority };
  } catch {
    // Whatever is wrong with them, the call that needs them is refused with `not_configured`.
    return undefined;
  }
}

/** Compares an authentication token in constant time. */
export function isTokenOf(signer: AppleSigner, pass: PassKey, sent: string): boolean {
  const hash = (text: string) => createHmac("sha256", "compare").update(text).digest();
  return timingSafeEqual(hash(sent), hash(signer.tokenOf(pass)));
}
