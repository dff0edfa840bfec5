import { hash, randomBytes } from "node:crypto";

const shape = /^[A-Za-z0-9_-]{43}$/;

/** 32 random bytes, in characters that headers, cookies and addresses carry unchanged. */
export function createToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of a token. The token is random, so a plain hash cannot be reversed by guessing. */
export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

export function isToken(text: string): boolean {
  return shape.test(text);
}
