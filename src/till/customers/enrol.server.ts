import { sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { normaliseEmail } from "#identity/customer/email/email.server.ts";
import { setMembership } from "#loyalty/membership/membership.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import type { StaffCaller } from "#platform/api/callers.server.ts";
import { Refusal, refuseField } from "#platform/refusal.ts";
import { countFailedAttempt, refuseGuessing } from "#shop/keys/keys.server.ts";
import { auditSale, refuseOwnCard } from "#shop/sales/at-till.server.ts";
import type { SellingDependencies } from "#shop/sales/selling.server.ts";
import { identifyAtTill } from "./identify.server.ts";

interface Known extends Record<string, unknown> {
  id: number;
  email: string;
  blocked: boolean;
  state: string | null;
}

/**
 * A customer who has an account and never joined, or has left, becomes a member at the till. An unknown address counts as a
 * failed attempt. The response is that of a look-up by address: a former member's card number would list their vouchers.
 */
export async function enrol(
  deps: SellingDependencies,
  caller: StaffCaller,
  { Email, CustomerToken }: { Email?: string | undefined; CustomerToken?: string | undefined },
  context: { now: Date; locale: Locale },
) {
  const { now } = context;
  if (Email === undefined && CustomerToken === undefined) refuseField("Email", "required");
  if (Email !== undefined && CustomerToken !== undefined) refuseField("CustomerToken", "twice");
  refuseGuessing(caller, deps.limits, now);
  const id = CustomerToken === undefined ? undefined : await deps.tokens.open(CustomerToken, caller.shopId, now);
  if (CustomerToken !== undefined && id === undefined) refuseField("CustomerToken", "invalid");
  const address = Email === undefined ? undefined : (normaliseEmail(Email) ?? refuseField("Email", "invalid"));
  const whom =
    id === undefined
      ? sql`c.id = (select customer_id from customer_email where email = ${address})`
      : sql`c.id = ${id}`;
  const email = await deps.database.transaction(async (tx) => {
    const { rows } = await tx.execute<Known>(sql`
      select c.id::float8 as id, c.email, c.blocked_at is not null as blocked, a.state
      from customer c left join loyalty_account a on a.customer_id = c.id where ${whom} and not c.guest`);
    const [known] = rows;
    if (!known) return undefined;
    if (known.blocked) throw new Refusal("card_blocked");
    await refuseOwnCard(tx, caller, known.id);
    await setMembership(tx, known.id, true, {
      ...{ ...context, publicUrl: deps.publicUrl, programmeId: defaultProgrammeId },
      source: "store",
    });
    const before = { state: known.state };
    await auditSale(tx, caller, now, { action: "join", customerId: known.id, before, after: { state: "active" } });
    return known.email;
  });
  if (email === undefined) {
    await countFailedAttempt(deps.database, caller);
    throw new Refusal("not_found");
  }
  return identifyAtTill(deps, caller, { Email: email }, context);
}
