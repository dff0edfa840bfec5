import { eq } from "drizzle-orm";
import type { Queries } from "#platform/database.server.ts";
import { queueMail } from "#platform/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { ClubHooks } from "./club-hooks.server.ts";
import { clearedTokenCookie } from "./cookies.server.ts";
import { customers } from "./customer.tables.server.ts";
import { eraseGuestsOf } from "./guest.server.ts";
import { letters } from "./letters.server.ts";
import type { Circumstances, Parts } from "./parts.server.ts";
import { proveByPassword } from "./password.server.ts";

/**
 * Erases a customer: the row goes, and with it by cascade sessions, links, addresses, logins and consents.
 * The club keeps its ledger, tied to nobody.
 */
export async function eraseCustomer(
  parts: Parts,
  input: { Password?: string | undefined },
  caller: { customerId: number; guest: boolean },
  call: Circumstances,
): Promise<void> {
  const { database, club, settings } = parts;
  const proved = await proveByPassword(parts, caller.customerId, "Password", input.Password, call);
  // A guest has nothing to prove with but the token. An account that only a social login opens needs a fresh proof of it.
  if (proved === null && !caller.guest) throw new Refusal("proof_missing");
  await database.transaction(async (tx) => {
    const [customer] = await tx
      .select({
        id: customers.id,
        email: customers.email,
        firstname: customers.firstname,
        emailVerifiedAt: customers.emailVerifiedAt,
      })
      .from(customers)
      .where(eq(customers.id, caller.customerId))
      .for("update");
    if (!customer) throw new Refusal("not_signed_in");
    await eraseEverything(tx, club, customer);
    // Tied to no customer: it must outlive them until it is sent.
    await queueMail(tx, {
      cause: `erased:${customer.id}`,
      to: customer.email,
      locale: call.locale,
      letter: letters.erased(call.locale, customer.firstname),
    });
  });
  call.headers.append("set-cookie", clearedTokenCookie(settings.secureCookies));
}

/** Call it with the customer's row locked, so that nothing is added to it meanwhile. */
export async function eraseEverything(
  queries: Queries,
  club: ClubHooks,
  customer: { id: number; email: string; emailVerifiedAt: Date | null },
): Promise<void> {
  await club.erase(queries, customer.id, customer.email);
  // Guest records of an address that somebody merely typed are not theirs to erase.
  if (customer.emailVerifiedAt) await eraseGuestsOf(queries, club, customer.email);
  await queries.delete(customers).where(eq(customers.id, customer.id));
}
