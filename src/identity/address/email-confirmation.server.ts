import { eq, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { recordOptIns } from "#identity/customer/consent/opt-ins.server.ts";
import { lockCustomer } from "#identity/customer/customer.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { maskEmail } from "#identity/customer/email/email-mask.ts";
import { shortName } from "#identity/customer/names.server.ts";
import type { CustomerResponse } from "#identity/customer/responses.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { sendGuestLink } from "#identity/guests/guests.server.ts";
import { emails } from "#identity/links/emails.server.ts";
import { consumeLink, createLink, peekLink } from "#identity/links/links.server.ts";
import { withLockedSession } from "#identity/session/reauthentication/locked-session.server.ts";
import { findActiveSession } from "#identity/session/session.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import { changeEmailByLink } from "./email-change.server.ts";
import { findShopRegistration } from "./shop-registration.server.ts";
import { keepShopRegistration, setPasswordByLink, welcomeVerifiedCustomer } from "./verified-address.server.ts";

type Person = { id: number; email: string; firstname: string };

export async function sendConfirmation(
  queries: Queries,
  settings: Settings,
  customer: Person,
  locale: Locale,
): Promise<void> {
  const link = await createLink(queries, customer, "verify");
  await queueMail(queries, {
    cause: `verify:${customer.id}:${link.id}`,
    customerId: customer.id,
    to: customer.email,
    locale,
    content: emails.confirm(settings, locale, customer.firstname, link.token),
  });
}

/**
 * Confirms an address with the mailed link: the customer's own, or the one they are changing to. A browser that is signed in as that customer confirms at once. Any other sets a
 * password with it: the link proves who owns the address, not who registered the account, so the account gets a clean
 * start. Without a password the link stays valid. A customer whom a shop registered says whether the card is theirs.
 */
export async function verifyEmail(
  deps: Dependencies,
  input: { Token: string; Password?: string | undefined; KeepCard: boolean; NewsletterSubscribe: boolean },
  call: RequestContext,
): Promise<CustomerResponse> {
  const { database, limits, passwords } = deps;
  const link = await limits.linkGuess(call.address, () => peekLink(database, input.Token, ["verify", "email_change"]));
  const own = await ownSession(deps, call, link.customerId);
  if (link.purpose === "email_change") await changeEmailByLink(deps, input.Token, own, call);
  else if (!own && input.Password === undefined) throw new Refusal("password_needed");
  else if (own)
    await withLockedSession(database, own, async (tx) => {
      const customer = await consumeLink(tx, input.Token, ["verify"]);
      await tx
        .update(customers)
        .set({ emailVerifiedAt: sql`coalesce(${customers.emailVerifiedAt}, now())`, updatedAt: sql`now()` })
        .where(eq(customers.id, customer.id));
      await welcomeVerifiedCustomer(tx, deps, customer, call.locale);
    });
  else {
    const passwordHash = await passwords.hash(input.Password ?? "");
    await database.transaction(async (tx) => {
      const customer = await consumeLink(tx, input.Token, ["verify"]);
      const set = { passwordHash, source: "confirmation", locale: call.locale } as const;
      const registration = await findShopRegistration(tx, customer);
      if (registration && input.KeepCard) await keepShopRegistration(tx, deps, customer, set);
      else await setPasswordByLink(tx, deps, customer, set, call);
      if (registration && input.NewsletterSubscribe) await optInToNewsletter(tx, customer.id, set);
    });
    await deps.deviceCookies.issue(call, { id: link.customerId, passwordHash });
  }
  const customer = await deps.readCustomer(link.customerId);
  if (!customer) throw new Refusal("link_expired");
  return customer;
}

async function optInToNewsletter(
  tx: Queries,
  customerId: number,
  { source, locale }: { source: string; locale: Locale },
) {
  await tx.update(customers).set({ newsletter: true }).where(eq(customers.id, customerId));
  const [from, to] = [false, true].map((newsletter) => ({ newsletter, sms: false }));
  if (from && to) await recordOptIns(tx, { customerId, from, to, source, locale });
}

/** What the page of a link shows before the customer confirms. */
export async function validateVerification(deps: Dependencies, token: string, call: RequestContext) {
  const { database, limits } = deps;
  const link = await limits.linkGuess(call.address, () => peekLink(database, token, ["verify"]));
  const customer = await deps.readCustomer(link.customerId);
  if (!customer) throw new Refusal("link_expired");
  const registration = await findShopRegistration(database, {
    id: link.customerId,
    emailVerifiedAt: customer.EmailVerified ? new Date() : null,
  });
  return {
    Email: maskEmail(link.email),
    ShopRegistration: registration
      ? {
          Name: shortName(customer.Firstname, customer.Lastname),
          ShopName: registration.shopName,
          RegisteredAt: registration.registeredAt.toISOString(),
        }
      : null,
  };
}

/**
 * The caller's session, if it is this customer's and began with an authentication. One that began with an exchange may
 * have been put into this browser by the stranger who registered the account.
 */
async function ownSession({ database }: Dependencies, { caller }: RequestContext, customerId: number) {
  if (caller?.customerId !== customerId) return undefined;
  const session = await findActiveSession(database, customerId, caller.sessionId);
  return session?.provedAt ? caller : undefined;
}

/** Mails the confirmation again, unless the address is verified. A guest verifies it by setting a password. */
export async function resendConfirmation(deps: Dependencies, customerId: number, locale: Locale): Promise<void> {
  const { database, limits, settings } = deps;
  const known = await deps.readCustomer(customerId);
  if (!known || known.EmailVerified) return;
  await limits.resend(known.Email, () =>
    database.transaction(async (tx) => {
      const customer = await lockCustomer(tx, customerId);
      if (!customer || customer.emailVerifiedAt) return;
      await (customer.guest ? sendGuestLink : sendConfirmation)(tx, settings, customer, locale);
    }),
  );
}
