import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { errorCode } from "./database.server.ts";

const keyBytes = 32;

/** A key that must not be in the database, as the environment spells it. */
export const keySetting = () =>
  z
    .base64({ error: "it must be 32 bytes in base64" })
    .transform((text) => Buffer.from(text, "base64"))
    .refine((key) => key.length === keyBytes, "it must be 32 bytes in base64")
    .optional();

/** The key as it is set, else the one of this machine. It is read when first needed: who does not need it writes no file. */
export function keyOutsideDatabase(set: Buffer | undefined, dataDir: string, fileName: string): () => Buffer {
  let key = set;
  return () => {
    key ??= keyInFile(join(dataDir, fileName), dataDir);
    return key;
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
