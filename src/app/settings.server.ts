import { readFileSync } from "node:fs";
import { z } from "zod";
import { socialEnvironment, socialSettings } from "#identity/social/settings.server.ts";
import { walletEnvironment, walletSettings } from "#loyalty/wallet/settings.server.ts";
import { moveEnvironment, moveSettings } from "#move/settings.server.ts";
import { companyAccountEnvironment, companyAccountSettings } from "#office/sign-in/company-account/settings.server.ts";
import { oidcEnvironment, oidcSettings } from "#oidc/settings.server.ts";
import { errorCode } from "#platform/database/database.server.ts";
import {
  BadSetting,
  behaviourEnvironment,
  generalSettings,
  placeEnvironment,
  secretNames,
} from "#platform/settings.server.ts";
import { webhookEnvironment, webhookSettings } from "#shop/webhooks/settings.server.ts";
import { staffEnvironment, staffSettings } from "#staff/settings.server.ts";
import { warehouseEnvironment, warehouseSettings } from "#warehouse/settings.server.ts";

/** Every setting of the product, each declared by its module. Of several bad ones the first in this order is reported. */
const Environment = z.object({
  ...placeEnvironment,
  ...socialEnvironment,
  ...walletEnvironment,
  ...webhookEnvironment,
  ...staffEnvironment,
  ...oidcEnvironment,
  ...companyAccountEnvironment,
  ...moveEnvironment,
  ...warehouseEnvironment,
  ...behaviourEnvironment,
});

/** Reads the settings. A command does not serve customers, so it needs neither mail server nor shop. */
export function readSettings(environment: Record<string, string | undefined>, { serves = true } = {}) {
  // An empty value in a .env file means "not set".
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  for (const name of secretNames) readSecretFile(given, name);
  const read = Environment.safeParse(given);
  if (!read.success) {
    const issue = read.error.issues[0];
    const name = String(issue?.path[0]);
    // The value is not repeated: it may be a secret.
    throw new BadSetting(`The setting ${name} cannot be used: ${issue?.message ?? "invalid"}.`);
  }
  const general = generalSettings(read.data, { serves, production: given["NODE_ENV"] === "production" });
  const wallets = walletSettings(read.data);
  const sandboxOrigin = general.sandbox ? general.publicUrl.origin : undefined;
  const social = socialSettings(read.data, sandboxOrigin);
  return {
    ...{ ...general, ...wallets, ...social },
    ...{ ...webhookSettings(read.data), ...staffSettings(read.data), ...oidcSettings(read.data) },
    ...companyAccountSettings(read.data, sandboxOrigin),
    ...moveSettings(read.data, general.dataDir),
    ...warehouseSettings(read.data),
  };
}

export type Settings = ReturnType<typeof readSettings>;

/** Names for `.env.example` and the test that keeps it whole. */
export const settingNames = [...Object.keys(Environment.shape), ...secretNames.map((name) => `${name}_FILE`)];

/** Puts the content of the file that `NAME_FILE` names in the place of `NAME`. */
function readSecretFile(given: Record<string, string | undefined>, name: string): void {
  const path = given[`${name}_FILE`];
  if (path === undefined) return;
  if (given[name] !== undefined) throw new BadSetting(`Of the settings ${name} and ${name}_FILE only one can be used.`);
  try {
    given[name] = readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new BadSetting(`The setting ${name}_FILE cannot be used: ${errorCode(error)}, ${path} cannot be read.`);
  }
  if (given[name] === "") throw new BadSetting(`The setting ${name}_FILE cannot be used: ${path} is empty.`);
}

/**
 * What is probably a mistake, a line each: names that nearly are a setting's, and files that are not there. The product
 * works without them, so they do not stop the start.
 */
export function settingWarnings(environment: Record<string, string | undefined>): string[] {
  const names = Object.keys(environment).filter((name) => !settingNames.includes(name));
  const misspelt = names.flatMap((name) => {
    const meant = settingNames.find((known) => known.length > 5 && isNear(name, known));
    return meant ? [`There is no setting ${name}: is ${meant} meant?`] : [];
  });
  const files = settingNames.filter((name) => /_WALLET_\w+_FILE$/.test(name) && environment[name]);
  const unreadable = files.flatMap((name) => {
    try {
      readFileSync(environment[name] ?? "");
      return [];
    } catch (error) {
      return [`The file of the setting ${name} cannot be read (${errorCode(error)}): that wallet is not offered.`];
    }
  });
  return [...misspelt, ...unreadable];
}

/** Whether two names differ by at most two letters that were added, left out or replaced (Levenshtein distance). */
function isNear(name: string, known: string): boolean {
  if (Math.abs(name.length - known.length) > 2) return false;
  let row = Array.from({ length: known.length + 1 }, (_, n) => n);
  for (const [i, email] of [...name].entries()) {
    const next = [i + 1];
    for (let j = 0; j < known.length; j += 1) {
      const replaced = (row[j] ?? 0) + (email === known[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return (row.at(-1) ?? 0) <= 2;
}
