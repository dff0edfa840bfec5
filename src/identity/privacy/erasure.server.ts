import { eq } from "drizzle-orm";
import { eraseGuestsOf } from "#identity/address/guests.server.ts";
import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { letters } from "#identity/links/letters.server.ts";
import { actWithAuthority, type OwnSession } from "#identity/session/authority.server.ts";
import { clearedDeviceCookie, clearedProviderCookie, clearedTokenCookie } from "#identity/session/cookies.server.ts";
import { proveByPassword } from "#identity/session/fresh-proof.server.ts";
import { proveByFacebook, proveByGoogle } from "#identity/social/social-proof.server.ts";
import { ownerOf } from "#identity/social/social-sign-in.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";

interface Proof {
  Password?: string | undefined;
  IdToken?: string | undefined;
  AccessToken?: string | undefined;
}

/** A token that was lying about since this morning proves nothing about who sits here now. */
const freshMinutes = 10;

/** The password, or a fresh proof of a social login that opens this very account. */
async function prove(
  deps: Dependencies,
  input: Proof,
  caller: { customerId: number; guest: boolean },
  call: RequestContext,
): Promise<void> {
  if (input.IdToken || input.AccessToken) {
    const identity = input.IdToken ? await proveByGoogle(deps, input, call) : await proveByFacebook(deps, input, call);
    const age = Date.now() - (identity.issuedAt?.getTime() ?? Date.now());
    if (age > freshMinutes * 60_000) throw new Refusal("proof_invalid");
    if ((await ownerOf(deps.database, identity)) !== caller.customerId) throw new Refusal("proof_invalid");
    return;
  }
  const password = await proveByPassword(deps, caller.customerId, "Password", input.Password, call);
  // A guest has nothing to prove with but the token.
  if (password !== null || caller.guest) return;
  const linked = await deps.readCustomer(caller.customerId);
  const fields = (linked?.SocialLogins ?? []).map((provider) => (provider === "google" ? "IdToken" : "AccessToken"));
  throw new Refusal("proof_missing", { errors: fields.map((field) => ({ field, code: "required" })) });
}

/**
 * Erases a customer: the row goes, and with it by cascade sessions, links, addresses, logins and consents.
 * The club keeps its ledger, tied to nobody.
 */
export async function eraseCustomer(
  deps: Dependencies,
  input: Proof,
  caller: OwnSession & { guest: boolean },
  call: RequestContext,
): Promise<void> {
  const { database, club, limits } = deps;
  const { secureCookies } = deps.settings;
  await prove(deps, input, caller, call);
  const erase = (maySend: boolean) =>
    actWithAuthority(database, caller, async (tx, { customer }) => {
      await eraseEverything(tx, club, customer);
      if (!maySend) return;
      // Tied to no customer: it must outlive them until it is sent.
      await queueMail(tx, {
        cause: `erased:${customer.id}`,
        to: customer.email,
        locale: call.locale,
        letter: letters.erased(call.locale, customer.firstname),
      });
    });
  const known = await deps.readCustomer(caller.customerId);
  if (!known) throw new Refusal("not_signed_in");
  // Otherwise making guests and erasing them in a loop would flood the mailbox of whoever owns the address.
  await limits.letterTo(known, erase);
  for (const cleared of [clearedTokenCookie, clearedProviderCookie, clearedDeviceCookie])
    call.headers.append("set-cookie", cleared(secureCookies));
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
