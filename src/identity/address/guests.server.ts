import { and, desc, eq, inArray, ne } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { letters } from "#identity/links/letters.server.ts";
import { createLink } from "#identity/links/links.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import { postalAddresses } from "./postal-address.tables.server.ts";

/** How many postal addresses of guests join the customer who owns the address. */
const addressesKept = 20;

export async function findNewestGuest(queries: Queries, email: string) {
  const [guest] = await queries
    .select({ id: customers.id, email: customers.email, firstname: customers.firstname })
    .from(customers)
    .where(and(eq(customers.email, email), eq(customers.guest, true)))
    .orderBy(desc(customers.id))
    .limit(1);
  return guest;
}

/** Mails a guest the link that sets a password and so makes a customer of them. */
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
    letter: letters.guest(settings, locale, guest.firstname, link.token),
  });
}

/**
 * Whoever has proved an address owns the guest records made with it: their postal addresses move to the customer
 * and the records end, with their sessions. Never before the proof: anybody may type anybody's address.
 */
export async function joinGuests(
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
  // Anybody may type anybody's address, any number of times: the newest few are enough.
  const newest = rows.slice(-addressesKept);
  if (newest.length > 0)
    await queries
      .insert(postalAddresses)
      .values(newest.map(({ id: _id, ...address }) => ({ ...address, customerId: customer.id })));
  await endGuests(queries, club, ids, customer.email);
}

/** The guest records of an address, whose owner is known to ask for it, end. */
export async function eraseGuestsOf(queries: Queries, club: ClubHooks, email: string): Promise<void> {
  const guests = await queries
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.email, email), eq(customers.guest, true)))
    .orderBy(customers.id)
    .for("update");
  await endGuests(
    queries,
    club,
    guests.map(({ id }) => id),
    email,
  );
}

async function endGuests(queries: Queries, club: ClubHooks, ids: number[], email: string): Promise<void> {
  if (ids.length === 0) return;
  for (const id of ids) await club.erase(queries, id, email);
  await queries.delete(customers).where(inArray(customers.id, ids));
}
