import { eq, lte, sql } from "drizzle-orm";
import { previousDetails } from "#identity/address/previous-details.tables.server.ts";
import type { CustomerResponse, PreviousDetails } from "#identity/customer/responses.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { type SessionKey, withLockedSession } from "#identity/session/reauthentication/locked-session.server.ts";
import { defineRead } from "#platform/api/reads.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { applyChange } from "./profile.server.ts";

/** No one has said whose they are: longer than this they are not stored. */
const answerDays = 30;

/** The details that the customer has yet to keep or discard; null when there are none. */
export const previousDetailsRead = defineRead<object, PreviousDetails | null>(
  "previous details",
  ({ customerId }) => sql`(
    select json_build_object(
      'Firstname', firstname, 'Lastname', lastname, 'Civility', civility, 'Birthday', birthday,
      'MobilePhone', mobile_phone, 'NewsletterSubscribe', newsletter, 'NewsletterSmsSubscribe', newsletter_sms)
    from previous_details where customer_id = ${customerId})`,
);

/**
 * The owner of the address keeps the details or discards them, once. An opt-in needs a yes of their own: who entered the
 * details may have been a stranger.
 */
export async function answerPreviousDetails(
  deps: Dependencies,
  input: { Keep: boolean; NewsletterSubscribe: boolean; NewsletterSmsSubscribe: boolean },
  caller: SessionKey,
  { locale }: RequestContext,
): Promise<CustomerResponse> {
  const { customerId } = caller;
  await withLockedSession(deps.database, caller, async (tx) => {
    const [details] = await tx.delete(previousDetails).where(eq(previousDetails.customerId, customerId)).returning();
    if (!details) throw new Refusal("not_found");
    if (!input.Keep) return;
    const { firstname, lastname, civility, birthday, mobilePhone: phone } = details;
    const optIns = { newsletter: input.NewsletterSubscribe, sms: input.NewsletterSmsSubscribe };
    const known = { ...(civility && { civility }), ...(birthday && { birthday }), ...(phone && { phone }) };
    const change = { firstname, lastname, ...known, optIns };
    await applyChange(tx, customerId, change, "previous-details", locale);
  });
  const customer = await deps.readCustomer(customerId);
  if (!customer) throw new Refusal("not_signed_in");
  return customer;
}

export async function deleteOldPreviousDetails(database: Database): Promise<void> {
  const tooOld = lte(previousDetails.storedAt, sql`now() - make_interval(days => ${answerDays})`);
  await database.delete(previousDetails).where(tooOld);
}
