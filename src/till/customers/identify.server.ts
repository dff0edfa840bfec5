import { sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { StaffCaller } from "#platform/api/callers.server.ts";
import { Refusal } from "#platform/refusal.ts";
import {
  aReceipt,
  describeFound,
  type Found,
  type IdentifyDependencies,
  lookUpOf,
  type Named,
} from "#shop/keys/identify.server.ts";

/** Finds members for a person at a till, who is logged beside the look-up (db/functions/shop_find_members.sql). */
export async function identifyAtTill(
  deps: IdentifyDependencies,
  caller: StaffCaller,
  named: Named & { EntryMode?: string | undefined },
  { now, locale }: { now: Date; locale: Locale },
) {
  const { limits } = deps;
  const [kind, value] = lookUpOf(named, locale);
  // A customer who is signed in at a web shop is not at the till.
  if (kind === "sub") throw new Refusal("scope_missing");
  const { rows } = await deps.database.execute<{ outcome: string; members: Found[] | null }>(sql`
    select outcome, members from shop_find_members(
      ${caller.prefix}, ${caller.shopId}, ${caller.staff.id}, ${caller.failedAttempts}, ${caller.byContact},
      ${limits.failedAttempts}, ${limits.byContact}, ${kind}, ${value}, ${named.EntryMode ?? null}, ${now.toISOString()})`);
  const [found] = rows;
  if (found?.outcome === "too_many") throw new Refusal("too_many", { retryAfterSeconds: 60 - now.getUTCSeconds() });
  if (found?.outcome === "receipt") return aReceipt;
  return describeFound(deps, found?.members ?? null, caller.shopId, { now, locale, byCode: kind === "code" });
}
