import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import type { z } from "zod";
import { centsOf, isAmount } from "#brand/amounts.ts";
import { textsOf } from "#brand/texts.server.ts";
import { type Locale, localePath } from "#i18n/locale.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { shortName } from "#identity/customer/names.server.ts";
import { registerToJoinPath } from "#identity/paths.ts";
import { barWidths } from "#loyalty/card/barcode.server.ts";
import { readLoyaltyAccount } from "#loyalty/ledger/loyalty-customer.server.ts";
import { defaultProgrammeId, type FindProgramme } from "#loyalty/programme/programme.server.ts";
import type { KeyCaller } from "#platform/api/callers.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { CustomerTokens } from "#shop/keys/customer-token.server.ts";
import { logQuote } from "#shop/keys/look-ups.server.ts";
import { pointsOf } from "#shop/sales/purchase/basket.server.ts";
import { openToken } from "#shop/sales/purchase/facts.server.ts";
import type { embedContract } from "./contract.server.ts";

interface EmbedDependencies {
  database: Database;
  tokens: CustomerTokens;
  findProgramme: FindProgramme;
  publicUrl: string;
}

type Embed = z.input<(typeof embedContract)["GET embed"]["response"]>;

/** A token for the pages of a shop, of the customer who is signed in there. */
export async function openEmbed({ database, tokens }: EmbedDependencies, caller: KeyCaller, sub: string, now: Date) {
  const customerId = await openToken(database, tokens, { Sub: sub }, caller.shopId, now);
  if (customerId === undefined) throw new Refusal("not_found");
  await logQuote(database, caller, { customerId, by: "sub", now });
  return tokens.sealEmbed(customerId, now);
}

/**
 * What the elements show. Without a token it is the same for everybody, and caches may store it. A token that is too old
 * reads as none: a page that stayed open shows what everybody sees.
 */
export async function readEmbed(
  deps: EmbedDependencies,
  request: Request,
  amounts: readonly string[],
  { now, locale }: { now: Date; locale: Locale },
): Promise<Response> {
  const [, token] = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
  const customerId = token === undefined ? undefined : await deps.tokens.openEmbed(token, now);
  const customer = customerId === undefined ? undefined : await readMember(deps.database, customerId, { now, locale });
  const { pointsPerEuro } = await deps.findProgramme(defaultProgrammeId, now);
  const { t } = textsOf[locale];
  const embed: Embed = {
    Earn: amounts.filter(isAmount).map((Amount) => {
      const rule = { pointsPerEuro, multiplierHundredths: customer?.multiplierHundredths ?? 100 };
      const Points = pointsOf([{ line: "1", paidCents: centsOf(Amount), earns: true }], rule);
      return { Amount, Points, Text: t("embed.earn", { points: Points }) };
    }),
    Join: { Text: t("embed.join"), Url: `${deps.publicUrl}${localePath(locale, registerToJoinPath)}` },
    Customer: customer?.shown ?? null,
  };
  return asShared(request, JSON.stringify(embed), { locale, isPublic: token === undefined });
}

/**
 * Any site may read it: it takes no cookie, so a page learns no more than its token says. The script's own headers, and
 * what a browser asks before (preflight): routes.server.ts.
 */
function asShared(request: Request, body: string, { locale, isPublic }: { locale: Locale; isPublic: boolean }) {
  const tag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 16)}"`;
  const headers = {
    "access-control-allow-origin": "*",
    "cache-control": isPublic ? "public, max-age=60" : "private, no-store",
    "content-language": locale,
    vary: "accept-language, authorization, cookie",
    ...(isPublic && { etag: tag }),
  };
  if (isPublic && request.headers.get("if-none-match") === tag) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "content-type": "application/json; charset=utf-8" } });
}

async function readMember(database: Database, customerId: number, { now, locale }: { now: Date; locale: Locale }) {
  const { state, rank, cardNumber, available } = await readLoyaltyAccount(
    database,
    customerId,
    defaultProgrammeId,
    now,
  );
  if (state !== "active" || !rank || !cardNumber) return undefined;
  const [named] = await database
    .select({ firstname: customers.firstname, lastname: customers.lastname })
    .from(customers)
    .where(eq(customers.id, customerId));
  const { t } = textsOf[locale];
  const shown: Embed["Customer"] = {
    Name: shortName(named?.firstname ?? "", named?.lastname ?? ""),
    Tier: rank.tier.name[locale],
    PointsText: t("embed.points", { points: available }),
    CardNumber: cardNumber,
    CardLabel: t("embed.card"),
    Bars: [...barWidths("ean13", cardNumber)],
  };
  return { shown, multiplierHundredths: rank.tier.multiplierHundredths };
}
