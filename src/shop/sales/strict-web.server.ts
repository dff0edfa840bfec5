import { installedBrand } from "#brand/brand.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import { Refusal, refuseField } from "#platform/refusal.ts";

type Key = Pick<KeyCaller, "web" | "api">;

/**
 * A web shop's key of the second version of the API. It names its currency; a sale dated in the future and a return of an
 * unknown receipt are mistakes of its connector, not of a till without a network.
 */
export const isStrictWeb = ({ web, api }: Key): boolean => web && api === 2;

/** An absent currency is the installation's. */
export function refuseCurrency(key: Key, currency: string | undefined): void {
  if (currency === undefined && isStrictWeb(key)) refuseField("Currency", "required");
  if (currency !== undefined && currency !== installedBrand().Currency) throw new Refusal("currency_mismatch");
}
