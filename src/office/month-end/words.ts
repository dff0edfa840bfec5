import type { TextId } from "#i18n/texts.ts";
import { type AccountName, movements } from "./names.ts";

type Movement = { [Name in AccountName]: `${Name}_${(typeof movements)[Name][number]}` }[AccountName];

/** What moved an account, in words. */
export function movementText(account: AccountName, name: string): TextId {
  const known: readonly string[] = movements[account];
  if (!known.includes(name)) throw new Error(`${name} of ${account} has no words.`);
  const movement = `${account}_${name}` as Movement;
  return `office.movement.${movement}`;
}
