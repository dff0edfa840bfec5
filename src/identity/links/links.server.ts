import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { type Locale, localePath } from "#i18n/locale.ts";
import { lockCustomer } from "#identity/customer/customer.server.ts";
import { customers, emailHolds } from "#identity/customer/customer.tables.server.ts";
import { resetLinkMinutes } from "#identity/fields/password-rule.ts";
import { pagePaths } from "#identity/paths.ts";
import { createToken, hashToken, isToken } from "#identity/session/tokens.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import { type LinkPurpose, links, linkTokens } from "./links.tables.server.ts";

export const linkMinutes: Record<LinkPurpose, number> = {
  reset: resetLinkMinutes,
  guest: resetLinkMinutes,
  autologin: 24 * 60,
  verify: 3 * 24 * 60,
  email_change: 24 * 60,
  email_stop: 7 * 24 * 60,
};

/**
 * Creates a single-use link; an earlier one for the same purpose ends, except one that stops a change of address: every
 * such email stays good. The token is returned once, and only its hash is stored.
 */
export async function createLink(
  queries: Queries,
  customer: { id: number; email: string },
  purpose: LinkPurpose,
): Promise<{ id: number; token: string }> {
  if (purpose !== "email_stop")
    await queries.delete(links).where(and(eq(links.customerId, customer.id), eq(links.purpose, purpose)));
  const [created] = await queries
    .insert(links)
    .values({
      customerId: customer.id,
      purpose,
      email: customer.email,
      expiresAt: sql`now() + make_interval(mins => ${linkMinutes[purpose]})`,
    })
    .returning({ id: links.id });
  if (!created) throw new Error("The link was not stored.");
  const token = createToken();
  await queries.insert(linkTokens).values({ tokenHash: hashToken(token), customerId: customer.id, linkId: created.id });
  return { id: created.id, token };
}

const columns = {
  customerId: links.customerId,
  id: links.id,
  purpose: links.purpose,
  email: links.email,
  createdAt: links.createdAt,
};

/** Reads a link without using it up. */
export async function peekLink(queries: Queries, token: string, purposes: readonly LinkPurpose[]) {
  const [link] = isToken(token)
    ? await queries
        .select(columns)
        .from(linkTokens)
        .innerJoin(links, and(eq(links.customerId, linkTokens.customerId), eq(links.id, linkTokens.linkId)))
        .where(
          and(
            eq(linkTokens.tokenHash, hashToken(token)),
            inArray(links.purpose, purposes),
            gt(links.expiresAt, sql`now()`),
          ),
        )
    : [];
  if (!link) throw new Refusal("link_expired");
  return link;
}

/**
 * Uses a link up, and locks its customer. Call it first in a transaction: of two concurrent requests the second waits for
 * the lock and then finds no link. A refusal rolls it back, so a token that was sent to the wrong call stays valid.
 */
export async function consumeLink(tx: Queries, token: string, purposes: readonly LinkPurpose[]) {
  const { link, customer } = await takeLink(tx, token, purposes);
  // A link verifies the address it was sent to, and no other that the customer may have by now.
  if (customer.email !== link.email) throw new Refusal("link_expired");
  return customer;
}

/** The same for a link to an address that is not the customer's: the next one, or the one before. */
export async function takeLink(tx: Queries, token: string, purposes: readonly LinkPurpose[]) {
  const link = await peekLink(tx, token, purposes);
  // Two guests of one address may use their links at once, and the first merges the other: one lock order prevents a deadlock.
  if (link.purpose === "guest") await lockGuests(tx, link.email);
  const customer = await lockCustomer(tx, link.customerId);
  const used = await tx
    .delete(links)
    .where(and(eq(links.customerId, link.customerId), eq(links.id, link.id)))
    .returning({ id: links.id });
  if (!customer || used.length === 0) throw new Refusal("link_expired");
  return { link, customer };
}

async function lockGuests(tx: Queries, email: string): Promise<void> {
  await tx
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.email, email), eq(customers.guest, true)))
    .orderBy(customers.id)
    .for("no key update");
}

/**
 * Ends the customer's links. Not those that undo a change of address: anyone who took the account over by such a change must
 * not be able to end them, by a reset for example.
 */
export async function endLinks(queries: Queries, customerId: number): Promise<void> {
  const undoes = sql`${links.purpose} = 'email_stop' and exists (select from ${emailHolds}
    where ${emailHolds.email} = ${links.email} and ${emailHolds.customerId} = ${links.customerId})`;
  await queries.delete(links).where(and(eq(links.customerId, customerId), sql`not (${undoes})`));
}

/** Links always use the configured public address, never a request's Host header. */
export function linkUrl(
  settings: Pick<Settings, "publicUrl">,
  locale: Locale,
  path: string,
  query: Record<string, string>,
): string {
  return `${settings.publicUrl.origin}${localePath(locale, path)}?${new URLSearchParams(query)}`;
}

export function resetUrl(settings: Pick<Settings, "publicUrl">, locale: Locale, token: string): string {
  return linkUrl(settings, locale, locale === "fr" ? pagePaths.reinitialiser : pagePaths.reset, { token });
}

export function autologinUrl(
  settings: Pick<Settings, "publicUrl">,
  locale: Locale,
  email: string,
  token: string,
): string {
  return linkUrl(settings, locale, pagePaths.autologin, { email, token });
}
