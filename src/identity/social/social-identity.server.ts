import { nameLength } from "#identity/customer/customer-fields.ts";
import { normaliseEmail } from "#identity/customer/email/email.server.ts";
import { harmlessName, nameFromEmail } from "#identity/customer/names.server.ts";
import type { SocialProvider } from "#identity/customer/social-providers.ts";
import { Refusal } from "#platform/refusal.ts";

/** Who a provider says a person is. Nothing of it comes from the form. */
export interface SocialIdentity {
  provider: SocialProvider;
  /** Their id at the provider. */
  id: string;
  /** Normalised; absent when they chose not to share it. */
  email: string | undefined;
  /** The provider itself has checked that the address is theirs. */
  emailVerified: boolean;
  firstname: string;
  lastname: string;
  /** When the provider issued the proof, if it says so. */
  issuedAt?: Date | undefined;
}

/** An outgoing request; those to the sandbox's providers stay in the process. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The timeout of one request to a provider; two in a row must end well within five seconds. */
export const providerTimeoutMs = 2_000;

/** The provider does not respond, or not as it should: that says nothing about the proof, so a retry may succeed. */
export function providerUnavailable(): Refusal {
  return new Refusal("unavailable", { retryAfterSeconds: 5 });
}

const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

function cleanName(text: string | undefined): string {
  const clean = (text ?? "").normalize("NFC").replace(unprintable, " ").trim();
  // Truncate last: cleaning may lengthen a name, and a harmless name stays harmless when truncated.
  return [...harmlessName(clean)].slice(0, nameLength).join("").trim();
}

/** Name and address as we store them. Some people have a single name at the provider; it becomes the first name. */
export function personOf(claims: {
  email?: string | undefined;
  given?: string | undefined;
  family?: string | undefined;
  full?: string | undefined;
}): Pick<SocialIdentity, "email" | "firstname" | "lastname"> {
  const email = claims.email && normaliseEmail(claims.email);
  return {
    email: email || undefined,
    firstname: cleanName(claims.given) || cleanName(claims.full) || nameFromEmail(email || ""),
    lastname: cleanName(claims.family),
  };
}
