import { generateKeyPair, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import forge from "node-forge";
import { installedBrand } from "#brand/brand.server.ts";

/** A self-signed authority and a certificate it signed: like Apple's, except that no phone trusts them. */
export async function makeCertificates(passTypeId: string, teamId: string) {
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
