import { and, asc, eq } from "drizzle-orm";
import { applicationsRead, describeApplications } from "#identity/applications/applications.server.ts";
import { consents } from "#identity/customer/consent/consent.tables.server.ts";
import { customers, emailHolds, formerSubjects } from "#identity/customer/customer.tables.server.ts";
import { postalAddresses } from "#identity/customer/postal-address.tables.server.ts";
import { socialAccounts, socialLogins } from "#identity/customer/social-login.tables.server.ts";
import type { Dependencies } from "#identity/dependencies.server.ts";
import { links } from "#identity/links/links.tables.server.ts";
import { listPasskeys } from "#identity/passkeys/passkeys.server.ts";
import { previousDetailsRead } from "#identity/profile/previous-details.server.ts";
import { describeSessions, sessionsRead } from "#identity/session/session.server.ts";
import { readById } from "#platform/api/reads.server.ts";
import { mails } from "#platform/mail/mail.tables.server.ts";
import { Refusal } from "#platform/refusal.ts";

/** Everything stored about a customer, as the wire spells it, without hashes of passwords and tokens. */
export async function exportCustomer(deps: Dependencies, caller: { customerId: number; sessionId: number }) {
  const { database, club } = deps;
  const { customerId, sessionId } = caller;
  const [
    customer,
    [row],
    details,
    addresses,
    sessions,
    pending,
    holds,
    logins,
    keys,
    granted,
    former,
    log,
    emails,
    loyalty,
  ] = await Promise.all([
    deps.readCustomer(customerId),
    database.select().from(customers).where(eq(customers.id, customerId)),
    readById(database, previousDetailsRead, { customerId, now: new Date(), values: {} }),
    database.select().from(postalAddresses).where(eq(postalAddresses.customerId, customerId)),
    readById(database, sessionsRead, { customerId, now: new Date(), values: {} }),
    database.select().from(links).where(eq(links.customerId, customerId)),
    database.select().from(emailHolds).where(eq(emailHolds.customerId, customerId)),
    database
      .select({ provider: socialLogins.provider, id: socialAccounts.providerCustomerId, at: socialLogins.createdAt })
      .from(socialLogins)
      .innerJoin(
        socialAccounts,
        and(eq(socialAccounts.customerId, socialLogins.customerId), eq(socialAccounts.provider, socialLogins.provider)),
      )
      .where(eq(socialLogins.customerId, customerId)),
    listPasskeys(deps, customerId),
    readById(database, applicationsRead, { customerId, now: new Date(), values: {} }),
    database.select().from(formerSubjects).where(eq(formerSubjects.customerId, customerId)),
    database.select().from(consents).where(eq(consents.customerId, customerId)).orderBy(asc(consents.id)),
    database.select().from(mails).where(eq(mails.customerId, customerId)).orderBy(asc(mails.id)),
    club.exportOf(database, customerId),
  ]);
  if (!customer || !row) throw new Refusal("not_signed_in");
  return {
    ExportedAt: new Date().toISOString(),
    Customer: {
      ...customer,
      Origin: row.origin,
      CreatedAt: row.createdAt.toISOString(),
      UpdatedAt: row.updatedAt.toISOString(),
      LastSeenAt: row.lastSeenAt.toISOString(),
      EmailVerifiedAt: row.emailVerifiedAt?.toISOString() ?? null,
      BirthdayChangedAt: row.birthdayChangedAt?.toISOString() ?? null,
      BlockedAt: row.blockedAt?.toISOString() ?? null,
      IdsAtApplications: [row.subject, ...former.map(({ subject }) => subject)],
    },
    PreviousDetails: details ?? null,
    Addresses: addresses.map((address) => ({
      Address1: address.address1,
      Address2: address.address2,
      Postcode: address.postcode,
      City: address.city,
      CountryIsoCode: address.country,
      IsInvoice: address.isInvoice,
      IsDelivery: address.isDelivery,
      CreatedAt: address.createdAt.toISOString(),
    })),
    Sessions: describeSessions(sessions, sessionId),
    PendingLinks: pending.map((link) => ({
      Purpose: link.purpose,
      Email: link.email,
      CreatedAt: link.createdAt.toISOString(),
      ExpiresAt: link.expiresAt.toISOString(),
    })),
    HeldEmails: holds.map((hold) => ({ Email: hold.email, Until: hold.until.toISOString() })),
    SocialLogins: logins.map((login) => ({
      Provider: login.provider,
      IdAtProvider: login.id,
      LinkedAt: login.at.toISOString(),
    })),
    ...keys,
    ...describeApplications(granted),
    Consents: log.map((entry) => ({
      Subject: entry.subject,
      Given: entry.given,
      TextVersion: entry.textVersion,
      Source: entry.source,
      At: entry.at.toISOString(),
    })),
    // Their text is deleted once they are sent.
    Letters: emails.map(({ cause, queuedAt, sentAt, refusedAt }) => ({
      Kind: cause.split(":")[0] ?? "",
      QueuedAt: queuedAt.toISOString(),
      SentAt: sentAt?.toISOString() ?? null,
      RefusedAt: refusedAt?.toISOString() ?? null,
    })),
    Loyalty: { ...loyalty },
  };
}
