import { addressContract } from "#identity/address/contract.server.ts";
import { applicationContract } from "#identity/applications/contract.server.ts";
import { passkeyContract } from "#identity/passkeys/contract.server.ts";
import { passwordContract } from "#identity/password/contract.server.ts";
import { privacyContract } from "#identity/privacy/contract.server.ts";
import { profileContract } from "#identity/profile/contract.server.ts";
import { registrationContract } from "#identity/registration/contract.server.ts";
import { sessionContract } from "#identity/session/contract.server.ts";
import { signInContract } from "#identity/sign-in/contract.server.ts";
import { socialContract } from "#identity/social/contract.server.ts";
import { unsubscribeContract } from "#identity/unsubscribe/contract.server.ts";

/** The contracts of identity's modules, together. */
export const identityContract = {
  ...signInContract,
  ...socialContract,
  ...passkeyContract,
  ...registrationContract,
  ...addressContract,
  ...profileContract,
  ...privacyContract,
  ...passwordContract,
  ...sessionContract,
  ...applicationContract,
  ...unsubscribeContract,
};

type IdentityContract = typeof identityContract;
declare module "#platform/api/api.ts" {
  interface Api extends IdentityContract {}
}
