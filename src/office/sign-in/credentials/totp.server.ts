import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { installedBrand } from "#brand/brand.server.ts";
import { createSealing, type Sealing } from "#platform/database/keys/sealing.server.ts";
import type { Pins } from "#staff/pins.server.ts";

/*
 * One-time codes by time (RFC 6238), as authenticator apps compute them: HMAC-SHA-1, six digits, 30 seconds. Written here
 * instead of a library: it is one HMAC, and the RFC's own examples test it.
 */

const stepSeconds = 30;
const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new secret of 160 bits in base32, as the apps take it. */
export const newTotpSecret = (): string => Array.from(randomBytes(32), (byte) => base32[byte % base32.length]).join("");

function bytesOf(secret: string): Buffer {
  const bits = [...secret].map((character) => base32.indexOf(character).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of one time step. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", bytesOf(secret)).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

export const totpStep = (now: Date): number => Math.floor(now.getTime() / 1_000 / stepSeconds);

/** The time step whose code this is; clocks may differ by one step. The caller stores it: a code is accepted once. */
export function matchTotp(secret: string, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const step = totpStep(now);
  return [step - 1, step, step + 1].find((one) =>
    timingSafeEqual(Buffer.from(totpCode(secret, one)), Buffer.from(code)),
  );
}

/** The secret as authenticator apps read it from a QR code. */
export const totpUri = (secret: string, email: string): string =>
  `otpauth://totp/${encodeURIComponent(`${installedBrand().Name}:${email}`)}?secret=${secret}&issuer=${encodeURIComponent(installedBrand().Name)}`;

/** Encrypts the secrets of codes with a key that is not in the database. */
export const officeSealing = (pins: Pins): Sealing => createSealing(() => pins.keyedByEach("totp secrets"));
