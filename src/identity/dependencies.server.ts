import type { ClubHooks } from "#identity/customer/club-hooks.server.ts";
import type { ReadCustomer } from "#identity/customer/customer.server.ts";
import type { PasswordHashes } from "#identity/password/password-hashes.server.ts";
import type { DeviceCookies } from "#identity/session/device/device-cookie.server.ts";
import type { CheckFacebook } from "#identity/social/facebook/facebook-proof.server.ts";
import type { CheckGoogle } from "#identity/social/google/google-proof.server.ts";
import type { HandlerContext } from "#platform/api/api-module.server.ts";
import type { Endpoint } from "#platform/api/endpoint.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import type { IdentityLimits } from "./limits.server.ts";

/** What identity's rules need; created once, in `handlers.server.ts`. */
export interface Dependencies {
  database: Database;
  settings: Settings;
  club: ClubHooks;
  limits: IdentityLimits;
  deviceCookies: DeviceCookies;
  passwords: PasswordHashes;
  /** A hash of each cost that came from another system. */
  hashSamples: () => Promise<string[]>;
  readCustomer: ReadCustomer;
  /** The customer's id as authenticators store it. */
  passkeyUserId: (customerId: number) => Promise<Uint8Array<ArrayBuffer>>;
  /** The key of the hashes of mailed codes. */
  codeSecret: () => Promise<Buffer>;
  /** Checks a provider's proof; absent for a provider that is not configured. */
  proofs: { google?: CheckGoogle | undefined; facebook?: CheckFacebook | undefined };
}

/** What a rule needs of its call, apart from the call's input. */
export type RequestContext = Pick<
  HandlerContext<Endpoint>,
  "locale" | "address" | "request" | "headers" | "requestId"
> & {
  caller?: HandlerContext<Endpoint>["caller"];
};
