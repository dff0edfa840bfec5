import { eq, sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { lockCustomer } from "#identity/customer/customer.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import type { CustomerResponse } from "#identity/customer/responses.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { letters } from "#identity/links/letters.server.ts";
import { consumeLink, createLink, peekLink } from "#identity/links/links.server.ts";
import { actWithAuthority } from "#identity/session/authority.server.ts";
import { findLivingSession } from "#identity/session/session.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { Settings } from "#platform/settings.server.ts";
import { sendGuestLink } from "./guests.server.ts";
import { greetProven, setProvenPassword } from "./proven-address.server.ts";

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
    letter: letters.confirm(settings, locale, customer.firstname, link.token),
  });
}

/**
 * Confirms an address with the mailed link. A browser that is signed in as that customer confirms at once. Any other sets a
 * password with it: the link proves who owns the address, not that they made the account, so it starts clean and is
 * theirs alone. Without a password the link stays good.
 */
export async function verifyEmail(
  deps: Dependencies,
  input: { Token: string; Password?: string | undefined },
  call: RequestContext,
): Promise<CustomerResponse> {
  const { database, limits, passwords } = deps;
  const link = await limits.linkGuess(call.address, () => peekLink(database, input.Token, ["verify"]));
  const own = await ownSession(deps, call, link.customerId);
  if (!own && input.Password === undefined) throw new Refusal("password_needed");
  if (own)
    await actWithAuthority(database, own, async (tx) => {
      const customer = await consumeLink(tx, input.Token, ["verify"]);
      await tx
        .update(customers)
        .set({ emailVerifiedAt: sql`coalesce(${customers.emailVerifiedAt}, now())`, updatedAt: sql`now()` })
        .where(eq(customers.id, customer.id));
      await greetProven(tx, deps, customer, call.locale);
    });
  else {
    const passwordHash = await passwords.hash(input.Password ?? "");
    await database.transaction(async (tx) => {
      const customer = await consumeLink(tx, input.Token, ["verify"]);
      await setProvenPassword(tx, deps, customer, { passwordHash, source: "confirmation", locale: call.locale });
    });
    await deps.devices.remember(call, { id: link.customerId, passwordHash });
  }
  const customer = await deps.readCustomer(link.customerId);
  if (!customer) throw new Refusal("link_expired");
  return customer;
}

/**
 * The caller's session, if it is this customer's and they proved themselves in it. One that came by an exchange may have
 * been put into this browser by whoever planted the account.
 */
async function ownSession({ database }: Dependencies, { caller }: RequestContext, customerId: number) {
  if (caller?.customerId !== customerId) return undefined;
  const session = await findLivingSession(database, customerId, caller.sessionId);
  return session?.provedAt ? caller : undefined;
}

/** Sends the confirmation again, if there is anything left to confirm. A guest proves the address by setting a password. */
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
