import type { Handled } from "#platform/api.server.ts";
import type { Database } from "#platform/database.server.ts";
import type { Endpoint } from "#platform/endpoint.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import type { ClubHooks } from "./club-hooks.server.ts";
import type { ReadCustomer } from "./customer.server.ts";
import type { CheckFacebook } from "./facebook-proof.server.ts";
import type { CheckGoogle } from "./google-proof.server.ts";
import type { KnownDevices } from "./known-device.server.ts";
import type { IdentityLimits } from "./limits.server.ts";
import type { PasswordHashes } from "./password-hashes.server.ts";

/** What identity's rules are made of; put together once by `handlers.server.ts`. */
export interface Parts {
  database: Database;
  settings: Settings;
  club: ClubHooks;
  limits: IdentityLimits;
  devices: KnownDevices;
  passwords: PasswordHashes;
  readCustomer: ReadCustomer;
  /** How a provider's proof is checked; absent for a provider that is not configured. */
  proofs: { google?: CheckGoogle | undefined; facebook?: CheckFacebook | undefined };
}

/** What a rule needs of the call it answers, whatever the call's own fields are. */
export type Circumstances = Pick<Handled<Endpoint>, "locale" | "address" | "request" | "headers" | "requestId"> & {
  caller?: Handled<Endpoint>["caller"];
};
