import { and, eq, sql } from "drizzle-orm";
import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { emails } from "#identity/links/emails.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import { eraseEverything } from "./erasure.server.ts";

/** Storage limitation: after this long without a visit the customer is mailed that the account will be erased… */
export const idleYears = 3;
/** …and this much later it is, unless they came back. */
export const noticeDays = 30;
const batchSize = 500;

interface Retention {
  settings: Settings;
  club: ClubHooks;
}

const idle = sql`${customers.lastSeenAt} < now() - make_interval(years => ${idleYears})`;
/** Notified about this absence, not about an earlier one that ended with a visit. */
const notified = sql`${customers.idleNotifiedAt} > ${customers.lastSeenAt}`;
const noticeOver = sql`${customers.idleNotifiedAt} < now() - make_interval(days => ${noticeDays})`;

const toNotify = sql`${idle} and not ${customers.guest} and not coalesce(${notified}, false)`;
/** A guest cannot sign in to keep the record, so no notice is mailed. */
const toErase = sql`${idle} and (${customers.guest} or (${notified} and ${noticeOver}))`;

/** Erases customers whose notice has ended, then mails a notice to those who have been away for too long. */
export async function applyRetention(database: Database, deps: Retention): Promise<void> {
  await forEach(database, toErase, (tx, customer) => erase(tx, deps, customer));
  await forEach(database, toNotify, (tx, customer) => notify(tx, deps, customer));
}

type Absent = typeof customers.$inferSelect;

/** One customer at a time, each in a transaction that checks again: they may have come back a moment ago. */
async function forEach(
  database: Database,
  which: typeof toNotify,
  work: (tx: Queries, customer: Absent) => Promise<void>,
) {
  for (let last = 0; ; ) {
    const found = await database
      .select({ id: customers.id })
      .from(customers)
      .where(and(which, sql`${customers.id} > ${last}`))
      .orderBy(customers.id)
      .limit(batchSize);
    for (const { id } of found)
      await database.transaction(async (tx) => {
        const [customer] = await tx
          .select()
          .from(customers)
          .where(and(eq(customers.id, id), which))
          .for("update");
        if (customer) await work(tx, customer);
      });
    if (found.length < batchSize) return;
    last = found.at(-1)?.id ?? last;
  }
}

/** A card that was used at the till counts as a visit, without a sign-in. */
async function usedCardInShop(tx: Queries, { club }: Retention, customer: Absent): Promise<boolean> {
  if (!(await club.isUsedSince(tx, customer.id, customer.idleNotifiedAt ?? yearsAgo(idleYears)))) return false;
  await tx.update(customers).set({ lastSeenAt: sql`now()` }).where(eq(customers.id, customer.id));
  return true;
}

function yearsAgo(years: number): Date {
  const day = new Date();
  day.setUTCFullYear(day.getUTCFullYear() - years);
  return day;
}

async function notify(tx: Queries, deps: Retention, customer: Absent): Promise<void> {
  if (await usedCardInShop(tx, deps, customer)) return;
  const locale = customer.language;
  // The job runs daily: the account still exists on the announced day, and is erased on the next.
  const until = new Date(Date.now() + noticeDays * 86_400_000);
  await tx.update(customers).set({ idleNotifiedAt: sql`now()` }).where(eq(customers.id, customer.id));
  await queueMail(tx, {
    cause: `idle:${customer.id}:${customer.lastSeenAt.getTime()}`,
    customerId: customer.id,
    to: customer.email,
    locale,
    content: emails.idle(deps.settings, locale, customer.firstname, until),
  });
}

async function erase(tx: Queries, deps: Retention, customer: Absent): Promise<void> {
  if (await usedCardInShop(tx, deps, customer)) return;
  const locale = customer.language;
  await eraseEverything(tx, deps.club, customer, "job");
  if (customer.guest) return;
  // Without a customer id, which would delete the mail by cascade before it is sent.
  await queueMail(tx, {
    cause: `erased:${customer.id}`,
    to: customer.email,
    locale,
    content: emails.idleErased(deps.settings, locale, customer.firstname),
  });
}
