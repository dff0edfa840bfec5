import { and, eq } from "drizzle-orm";
import { Refusal } from "#platform/refusal.ts";
import type { CustomerAnswer } from "./answers.server.ts";
import { customers } from "./customer.tables.server.ts";
import { socialLogins } from "./identity.tables.server.ts";
import type { Parts } from "./parts.server.ts";
import type { SocialIdentity } from "./social-identity.server.ts";
import { type SocialProvider, socialProviders } from "./social-settings.ts";
import { LostRace, ownerOf, writeLogin } from "./social-sign-in.server.ts";

function isProvider(name: string): name is SocialProvider {
  return (socialProviders as readonly string[]).includes(name);
}

/** Links a proved identity to the customer who is signed in; an earlier one of that provider gives way. */
export async function linkSocial(
  parts: Parts,
  identity: SocialIdentity,
  caller: { customerId: number; guest: boolean },
): Promise<CustomerAnswer> {
  // A guest's address is not proved, and a guest has no account to come back to.
  if (caller.guest) throw new Refusal("forbidden");
  const { customerId } = caller;
  const { provider } = identity;
  await parts.database
    .transaction(async (tx) => {
      const [customer] = await tx
        .select({ id: customers.id })
        .from(customers)
        .where(eq(customers.id, customerId))
        .for("no key update");
      if (!customer) throw new Refusal("not_signed_in");
      const owner = await ownerOf(tx, identity);
      if (owner === customerId) return;
      if (owner !== undefined) throw new Refusal("already_linked");
      await tx
        .delete(socialLogins)
        .where(and(eq(socialLogins.customerId, customerId), eq(socialLogins.provider, provider)));
      await writeLogin(tx, customerId, identity);
    })
    .catch((error) => {
      // Somebody else linked the same account in this very moment.
      throw error instanceof LostRace ? new Refusal("already_linked") : error;
    });
  const customer = await parts.readCustomer(customerId);
  if (!customer) throw new Refusal("not_signed_in");
  return customer;
}

/** Removes a social login, unless nothing else would open the account. */
export async function unlinkSocial(parts: Parts, provider: string, customerId: number): Promise<CustomerAnswer> {
  if (!isProvider(provider)) throw new Refusal("not_found");
  await parts.database.transaction(async (tx) => {
    // Locked, so that two removals at once do not each count on the other's login.
    const [customer] = await tx
      .select({ passwordHash: customers.passwordHash })
      .from(customers)
      .where(eq(customers.id, customerId))
      .for("no key update");
    const linked = await tx
      .select({ provider: socialLogins.provider })
      .from(socialLogins)
      .where(eq(socialLogins.customerId, customerId));
    if (!customer || !linked.some((login) => login.provider === provider)) throw new Refusal("not_found");
    if (customer.passwordHash === null && linked.length === 1) throw new Refusal("last_way_in");
    await tx
      .delete(socialLogins)
      .where(and(eq(socialLogins.customerId, customerId), eq(socialLogins.provider, provider)));
  });
  const customer = await parts.readCustomer(customerId);
  if (!customer) throw new Refusal("not_signed_in");
  return customer;
}
