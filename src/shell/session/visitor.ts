import type { Customer } from "#identity/session/session.ts";

/** Who is signed in, as the page's root loader found it. */
export interface Visitor {
  customer: Customer | null;
  /** The server has said that nobody is signed in; a failed request alone does not say so. */
  signedOut: boolean;
}

/** Null: nobody is signed in. Undefined: not known, as without a network. */
export const visitorId = (visitor: Visitor | undefined): number | null | undefined =>
  visitor?.customer?.IdCustomer ?? (visitor?.signedOut ? null : undefined);
