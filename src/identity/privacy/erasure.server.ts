import { eq } from "drizzle-orm";
import type { ClubHooks, ErasedBy } from "#identity/customer/club-hooks.server.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { eraseGuestsOf } from "#identity/guests/guests.server.ts";
import { emails } from "#identity/links/emails.server.ts";
import { clearedDeviceCookie, clearedProviderCookie, clearedTokenCookie } from "#identity/session/cookies.server.ts";
import { type SessionKey, withLockedSession } from "#identity/session/reauthentication/locked-session.server.ts";
import {
  requireReauthentication,
  verifyCurrentPassword,
} from "#identity/session/reauthentication/reauthentication.server.ts";
import { verifyFacebookProof, verifyGoogleProof } from "#identity/social/social-proof.server.ts";
import { findOwner } from "#identity/social/social-sign-in.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";

interface Proof {
  Password?: string | undefined;
  IdToken?: string | undefined;
  AccessToken?: string | undefined;
}

/** An older proof does not count as reauthentication: the token may have been left behind. */
const proofMinutes = 10;

/**
 * Reauthentication: the password, or a fresh proof of a social login linked to this account. An account with neither needs a
 * sign-in of the last five minutes.
 */
async function reauthenticate(
  deps: Dependencies,
  input: Proof,
  caller: SessionKey & { guest: boolean },
  call: RequestContext,
): Promise<void> {
  if (input.IdToken || input.AccessToken) {
    const identity = input.IdToken
      ? await verifyGoogleProof(deps, input, call)
      : await verifyFacebookProof(deps, input, call);
    const age = Date.now() - (identity.issuedAt?.getTime() ?? Date.now());
    if (age > proofMinutes * 60_000) throw new Refusal("proof_invalid");
    if ((await findOwner(deps.database, identity)) !== caller.customerId) throw new Refusal("proof_invalid");
    return;
  }
  const passwordHash = await verifyCurrentPassword(deps, caller.customerId, "Password", input.Password, call);
  // A guest has only the token.
  if (passwordHash !== null || caller.guest) return;
  const linked = await deps.readCustomer(caller.customerId);
  // Neither: a passkey or a mailed code opened the session, and must have done so a moment ago.
  if (linked?.SocialLogins.length === 0) {
    await requireReauthentication(deps, undefined, caller, call);
    return;
  }
  const fields = (linked?.SocialLogins ?? []).map((provider) => (provider === "google" ? "IdToken" : "AccessToken"));
  throw new Refusal("proof_missing", { errors: fields.map((field) => ({ field, code: "required" })) });
}

/**
 * Erases a customer: deletes the row, and by cascade sessions, links, addresses, logins and consents.
 * The club's ledger stays, anonymous.
 */
export async function eraseCustomer(
  deps: Dependencies,
  input: Proof,
  caller: SessionKey & { guest: boolean },
  call: RequestContext,
): Promise<void> {
  const { database, club, limits } = deps;
  const { secureCookies } = deps.settings;
  await reauthenticate(deps, input, caller, call);
  const erase = (maySend: boolean) =>
    withLockedSession(database, caller, async (tx, { customer }) => {
      await eraseEverything(tx, club, customer);
      if (!maySend) return;
      // Without a customer id, which would delete the mail by cascade before it is sent.
      await queueMail(tx, {
        cause: `erased:${customer.id}`,
        to: customer.email,
        locale: call.locale,
        content: emails.erased(deps.settings, call.locale, customer.firstname),
      });
    });
  const recipient = await deps.readCustomer(caller.customerId);
  if (!recipient) throw new Refusal("not_signed_in");
  // Otherwise registering and erasing guests in a loop would flood the mailbox of the address.
  await limits.emailTo(recipient, erase);
  for (const cleared of [clearedTokenCookie, clearedProviderCookie, clearedDeviceCookie])
    call.headers.append("set-cookie", cleared(secureCookies));
}

/** Call it with the customer locked, so that nothing is added meanwhile. */
export async function eraseEverything(
  queries: Queries,
  club: ClubHooks,
  customer: { id: number; email: string; emailVerifiedAt: Date | null },
  by: ErasedBy = "customer",
): Promise<void> {
  await club.erase(queries, customer.id, by);
  // Guest records of an unverified address may be another person's.
  if (customer.emailVerifiedAt) await eraseGuestsOf(queries, club, customer.email);
  await queries.delete(customers).where(eq(customers.id, customer.id));
}
