import { and, eq } from "drizzle-orm";
import type { CustomerResponse } from "#identity/customer/responses.server.ts";
import { socialLogins } from "#identity/customer/social-login.tables.server.ts";
import { type SocialProvider, socialProviders } from "#identity/customer/social-providers.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { type Authority, actWithAuthority, type OwnSession } from "#identity/session/authority.server.ts";
import { proveFreshly } from "#identity/session/fresh-proof.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { SocialIdentity } from "./social-identity.server.ts";
import { LostRace, ownerOf, tellLinked, writeLogin } from "./social-sign-in.server.ts";

function isProvider(name: string): name is SocialProvider {
  return (socialProviders as readonly string[]).includes(name);
}

/**
 * Links an identity to the customer who is signed in; an earlier one of that provider gives way. A new way in: it needs a
 * fresh proof of who sits here, and a letter tells the customer.
 */
export async function linkSocial(
  deps: Dependencies,
  input: { Password?: string | undefined },
  /** Asks the provider; only once the rest is known to be good, since its nonce is used up by it. */
  prove: () => Promise<SocialIdentity>,
  caller: OwnSession & { guest: boolean },
  call: RequestContext,
): Promise<CustomerResponse> {
  // A guest's address is not proved, and a guest has no account to come back to.
  if (caller.guest) throw new Refusal("forbidden");
  const expectProof = await proveFreshly(deps, input.Password, caller, call);
  const identity = await prove();
  const { provider } = identity;
  const told = await mustRead(deps, caller.customerId);
  const link = (maySend: boolean) => async (tx: Queries, authority: Authority) => {
    expectProof(authority);
    const { customer } = authority;
    const owner = await ownerOf(tx, identity);
    if (owner === customer.id) return;
    if (owner !== undefined) throw new Refusal("already_linked");
    await removeLogin(tx, customer.id, provider);
    await writeLogin(tx, customer.id, identity);
    if (maySend) await tellLinked(tx, deps.settings, customer, provider, call.locale);
  };
  await deps.limits.socialLink(caller.customerId, () =>
    deps.limits.letterTo(told, (maySend) =>
      actWithAuthority(deps.database, caller, link(maySend)).catch((error) => {
        // Somebody else linked the same account in this very moment.
        throw error instanceof LostRace ? new Refusal("already_linked") : error;
      }),
    ),
  );
  return mustRead(deps, caller.customerId);
}

/** Removes a social login, unless nothing else would open the account. */
export async function unlinkSocial(
  deps: Dependencies,
  provider: string,
  caller: OwnSession,
): Promise<CustomerResponse> {
  if (!isProvider(provider)) throw new Refusal("not_found");
  // Locked, so that two removals at once do not each count on the other's login.
  await actWithAuthority(deps.database, caller, async (tx, { customer }) => {
    const linked = await tx
      .select({ provider: socialLogins.provider })
      .from(socialLogins)
      .where(eq(socialLogins.customerId, customer.id));
    if (!linked.some((login) => login.provider === provider)) throw new Refusal("not_found");
    if (customer.passwordHash === null && linked.length === 1) throw new Refusal("last_way_in");
    await removeLogin(tx, customer.id, provider);
  });
  return mustRead(deps, caller.customerId);
}

async function removeLogin(tx: Queries, customerId: number, provider: SocialProvider): Promise<void> {
  await tx
    .delete(socialLogins)
    .where(and(eq(socialLogins.customerId, customerId), eq(socialLogins.provider, provider)));
}

async function mustRead(deps: Dependencies, customerId: number): Promise<CustomerResponse> {
  const customer = await deps.readCustomer(customerId);
  if (!customer) throw new Refusal("not_signed_in");
  return customer;
}
