import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { errorCode } from "#platform/database/database.server.ts";

const keyBytes = 32;

/**
 * A key that must not be in the database, as the environment spells it: 32 bytes in base64. While it is being changed, the
 * new key and behind it, separated by commas, the ones before.
 */
export const keySetting = () =>
  z
    .string()
    .transform((text) => text.split(",").map((key) => key.trim()))
    .refine((keys) => keys.every(isKey), "it must be 32 bytes in base64")
    .transform((keys) => keys.map((key) => Buffer.from(key, "base64")))
    .optional();

const isKey = (text: string) => z.base64().safeParse(text).success && Buffer.from(text, "base64").length === keyBytes;

/**
 * The keys as they are set, the current one first, else the one of this machine. It is read when first needed: who does
 * not need it writes no file.
 */
export function keysOutsideDatabase(
  set: readonly Buffer[] | undefined,
  dataDir: string,
  fileName: string,
): () => readonly Buffer[] {
  let keys = set;
  return () => {
    keys ??= [keyInFile(join(dataDir, fileName), dataDir)];
    return keys;
  };
}

/** The key of this machine, made once. A link appears whole or not at all, so of two processes both read the same key. */
function keyInFile(path: string, dataDir: string): Buffer {
  const found = readKeyFile(path);
  if (found) return found;
  mkdirSync(dataDir, { recursive: true });
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(draft, randomBytes(keyBytes).toString("base64"), { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    // Another process was first: its key is the one.
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  const made = readKeyFile(path);
  if (!made) throw new Error(`The key ${path} was not written.`);
  return made;
}

function readKeyFile(path: string): Buffer | undefined {
  try {
    return Buffer.from(readFileSync(path, "utf8"), "base64");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
