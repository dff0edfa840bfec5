import { nameLength } from "#identity/customer/customer-fields.ts";
import { normaliseEmail } from "#identity/customer/email.server.ts";
import { harmlessName, nameFromEmail } from "#identity/customer/names.server.ts";
import type { SocialProvider } from "#identity/customer/social-providers.ts";
import { Refusal } from "#platform/refusal.ts";

/** Who a provider says somebody is. Nothing of it comes from the form. */
export interface SocialIdentity {
  provider: SocialProvider;
  /** Their number at the provider. */
  id: string;
  /** Normalised; absent when they chose not to share it. */
  email: string | undefined;
  /** The provider itself has checked that the address is theirs. */
  emailVerified: boolean;
  firstname: string;
  lastname: string;
  /** When the provider issued the proof, if it tells. */
  issuedAt?: Date | undefined;
}

/** An outgoing request; the sandbox's own providers are answered in process. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Each question to a provider; two of them in a row must end well within five seconds. */
export const providerMs = 2_000;

/** The provider does not answer, or not as it should: a matter of time, not a verdict about the proof. */
export function providerAway(): Refusal {
  return new Refusal("unavailable", { retryAfterSeconds: 5 });
}

const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

function line(text: string | undefined): string {
  const clean = (text ?? "").normalize("NFC").replace(unprintable, " ").trim();
  // Cut last: harmless names stay harmless when they are cut, and the cleaning may lengthen them.
  return [...harmlessName(clean)].slice(0, nameLength).join("").trim();
}

/** Name and address as we keep them. Providers know people with one name; the first is what we greet by. */
export function personOf(claims: {
  email?: string | undefined;
  given?: string | undefined;
  family?: string | undefined;
  full?: string | undefined;
}): Pick<SocialIdentity, "email" | "firstname" | "lastname"> {
  const email = claims.email && normaliseEmail(claims.email);
  return {
    email: email || undefined,
    firstname: line(claims.given) || line(claims.full) || nameFromEmail(email || ""),
    lastname: line(claims.family),
  };
}
