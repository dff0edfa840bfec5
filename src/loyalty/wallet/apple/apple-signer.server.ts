import { createHmac, generateKeyPair, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import forge from "node-forge";
import { installedBrand } from "#brand/brand.server.ts";
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
    : await storedKey<Pems>(database, "apple-wallet", () => makeCertificates(sandboxPassType, sandboxTeam));
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
    forge.pki.certificateFromPem(certificate);
    forge.pki.certificateFromPem(authority);
    forge.pki.privateKeyFromPem(key);
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

/** A self-signed authority and a certificate it signed: like Apple's, except that no phone trusts them. */
export async function makeCertificates(passTypeId: string, teamId: string): Promise<Pems> {
  const [authorityKeys, passKeys] = await Promise.all([makeKeys(), makeKeys()]);
  const authorityName = [
    { shortName: "CN", value: `${installedBrand().Name} Sandbox Authority` },
    { shortName: "O", value: installedBrand().Name },
  ];
  const passName = [
    { type: "0.9.2342.19200300.100.1.1", value: passTypeId },
    { shortName: "CN", value: `Pass Type ID: ${passTypeId}` },
    { shortName: "OU", value: teamId },
  ];
  const authority = certificate(authorityKeys.publicKey, authorityName, authorityName, authorityKeys.privateKey, [
    { name: "basicConstraints", cA: true, critical: true },
    { name: "keyUsage", keyCertSign: true, digitalSignature: true, critical: true },
    { name: "subjectKeyIdentifier" },
  ]);
  const signed = certificate(passKeys.publicKey, passName, authorityName, authorityKeys.privateKey, [
    { name: "basicConstraints", cA: false },
    { name: "keyUsage", digitalSignature: true, critical: true },
    { name: "subjectKeyIdentifier" },
  ]);
  return { certificate: signed, key: passKeys.privateKey, authority };
}

/** Node generates keys off the main thread, and far faster than node-forge. */
async function makeKeys() {
  return promisify(generateKeyPair)("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
}

function certificate(
  publicKey: string,
  subject: forge.pki.CertificateField[],
  issuer: forge.pki.CertificateField[],
  issuerKey: string,
  extensions: object[],
): string {
  const made = forge.pki.createCertificate();
  made.publicKey = forge.pki.publicKeyFromPem(publicKey);
  // The leading 01 keeps the serial number positive: its first bit is the sign.
  made.serialNumber = `01${randomBytes(15).toString("hex")}`;
  made.validity.notBefore = new Date(Date.now() - 86_400_000);
  made.validity.notAfter = new Date(Date.now() + 10 * 365 * 86_400_000);
  made.setSubject(subject);
  made.setIssuer(issuer);
  made.setExtensions(extensions);
  made.sign(forge.pki.privateKeyFromPem(issuerKey), forge.md.sha256.create());
  return forge.pki.certificateToPem(made);
}
