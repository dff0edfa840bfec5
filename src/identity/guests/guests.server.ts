import { and, desc, eq, inArray, ne } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import { claimEmail } from "#identity/customer/customer.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { postalAddresses } from "#identity/customer/postal-address.tables.server.ts";
import { emails } from "#identity/links/emails.server.ts";
import { createLink } from "#identity/links/links.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import type { Settings } from "#platform/settings.server.ts";

/** How many postal addresses of guests are merged into a customer. */
const maxMergedAddresses = 20;

export async function findNewestGuest(queries: Queries, email: string) {
  const [guest] = await queries
    .select({ id: customers.id, email: customers.email, firstname: customers.firstname })
    .from(customers)
    .where(and(eq(customers.email, email), eq(customers.guest, true)))
    .orderBy(desc(customers.id))
    .limit(1);
  return guest;
}

/** Mails a guest the link that sets a password and so registers them as a customer. */
export async function sendGuestLink(
  queries: Queries,
  settings: Settings,
  guest: { id: number; email: string; firstname: string },
  locale: Locale,
): Promise<void> {
  const link = await createLink(queries, guest, "guest");
  await queueMail(queries, {
    cause: `guest:${guest.id}:${link.id}`,
    customerId: guest.id,
    to: guest.email,
    locale,
    content: emails.guest(settings, locale, guest.firstname, link.token),
  });
}

/** A guest who has set a password by the mailed link becomes the customer of the address. */
export async function upgradeGuest(queries: Queries, guest: { id: number; email: string }): Promise<void> {
  await claimEmail(queries, guest);
  await queries.update(customers).set({ guest: false }).where(eq(customers.id, guest.id));
}

/**
 * Merges the guest records of an address into the customer who has verified it: their postal addresses move, the records
 * and their sessions are deleted. Never before the address is verified: anybody may type anybody's address.
 */
export async function mergeGuests(
  queries: Queries,
  club: ClubHooks,
  customer: { id: number; email: string },
): Promise<void> {
  const guests = await queries
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.email, customer.email), eq(customers.guest, true), ne(customers.id, customer.id)))
    .orderBy(customers.id)
    .for("update");
  if (guests.length === 0) return;
  const ids = guests.map(({ id }) => id);
  const rows = await queries
    .select()
    .from(postalAddresses)
    .where(inArray(postalAddresses.customerId, ids))
    .orderBy(postalAddresses.id);
  // Anybody may type anybody's address any number of times, so only the newest are merged.
  const newest = rows.slice(-maxMergedAddresses);
  if (newest.length > 0)
    await queries
      .insert(postalAddresses)
      .values(newest.map(({ id: _id, ...address }) => ({ ...address, customerId: customer.id })));
  await deleteGuests(queries, club, ids);
}

/** Erases the guest records of an address. Only its verified owner may ask for it. */
export async function eraseGuestsOf(queries: Queries, club: ClubHooks, email: string): Promise<void> {
  const guests = await queries
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.email, email), eq(customers.guest, true)))
    .orderBy(customers.id)
    .for("update");
  await deleteGuests(
    queries,
    club,
    guests.map(({ id }) => id),
  );
}

async function deleteGuests(queries: Queries, club: ClubHooks, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  for (const id of ids) await club.erase(queries, id);
  await queries.delete(customers).where(inArray(customers.id, ids));
}
