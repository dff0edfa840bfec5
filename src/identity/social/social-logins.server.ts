import { and, eq } from "drizzle-orm";
import type { CustomerResponse } from "#identity/customer/responses.server.ts";
import { socialLogins } from "#identity/customer/social-login.tables.server.ts";
import { type SocialProvider, socialProviders } from "#identity/customer/social-providers.ts";
import { countWaysIn } from "#identity/customer/ways-in.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import {
  type LockedSession,
  type SessionKey,
  withLockedSession,
} from "#identity/session/reauthentication/locked-session.server.ts";
import { requireReauthentication } from "#identity/session/reauthentication/reauthentication.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import type { SocialIdentity } from "./social-identity.server.ts";
import { findOwner, insertLogin, LostRace, mailLinked } from "./social-sign-in.server.ts";

function isProvider(name: string): name is SocialProvider {
  return (socialProviders as readonly string[]).includes(name);
}

/**
 * Links an identity to the customer who is signed in; an earlier one of that provider is replaced. This adds a way to
 * sign in: it needs reauthentication, and the customer is mailed.
 */
export async function linkSocial(
  deps: Dependencies,
  input: { Password?: string | undefined },
  /** Verifies the proof; called after every other check, since it uses the nonce up. */
  verifyProof: () => Promise<SocialIdentity>,
  caller: SessionKey & { guest: boolean },
  call: RequestContext,
): Promise<CustomerResponse> {
  // A guest's address is not verified, and a guest has no account to sign in to.
  if (caller.guest) throw new Refusal("forbidden");
  const checkAgain = await requireReauthentication(deps, input.Password, caller, call);
  const identity = await verifyProof();
  const { provider } = identity;
  const recipient = await readCustomerOrRefuse(deps, caller.customerId);
  const link = (maySend: boolean) => async (tx: Queries, locked: LockedSession) => {
    checkAgain(locked);
    const { customer } = locked;
    const owner = await findOwner(tx, identity);
    if (owner === customer.id) return;
    if (owner !== undefined) throw new Refusal("already_linked");
    await removeLogin(tx, customer.id, provider);
    await insertLogin(tx, customer.id, identity);
    if (maySend) await mailLinked(tx, deps.settings, customer, provider, call.locale);
  };
  await deps.limits.socialLink(caller.customerId, () =>
    deps.limits.emailTo(recipient, (maySend) =>
      withLockedSession(deps.database, caller, link(maySend)).catch((error) => {
        // Another customer linked the same account at the same moment.
        throw error instanceof LostRace ? new Refusal("already_linked") : error;
      }),
    ),
  );
  return readCustomerOrRefuse(deps, caller.customerId);
}

/** Removes a social login, unless it is the only way to sign in. */
export async function unlinkSocial(
  deps: Dependencies,
  provider: string,
  caller: SessionKey,
): Promise<CustomerResponse> {
  if (!isProvider(provider)) throw new Refusal("not_found");
  // Locked, so that two concurrent removals do not each rely on the other's login.
  await withLockedSession(deps.database, caller, async (tx, { customer }) => {
    const linked = await tx
      .select({ provider: socialLogins.provider })
      .from(socialLogins)
      .where(eq(socialLogins.customerId, customer.id));
    if (!linked.some((login) => login.provider === provider)) throw new Refusal("not_found");
    if ((await countWaysIn(tx, customer)) === 1) throw new Refusal("last_way_in");
    await removeLogin(tx, customer.id, provider);
  });
  return readCustomerOrRefuse(deps, caller.customerId);
}

async function removeLogin(tx: Queries, customerId: number, provider: SocialProvider): Promise<void> {
  await tx
    .delete(socialLogins)
    .where(and(eq(socialLogins.customerId, customerId), eq(socialLogins.provider, provider)));
}

async function readCustomerOrRefuse(deps: Dependencies, customerId: number): Promise<CustomerResponse> {
  const customer = await deps.readCustomer(customerId);
  if (!customer) throw new Refusal("not_signed_in");
  return customer;
}
