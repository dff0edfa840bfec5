import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { consumeNonce } from "./nonce.server.ts";
import type { SocialIdentity } from "./social-identity.server.ts";

const missing = (field: "IdToken" | "AccessToken") =>
  new Refusal("proof_missing", { errors: [{ field, code: "required" }] });

/** The id in the form must be the proof's own; where it is required, its absence is an error of the form. */
function requireSameId(field: string, claimed: string | undefined, id: string, needed: boolean): void {
  if (claimed === undefined && needed) throw new Refusal("invalid", { errors: [{ field, code: "required" }] });
  if (claimed !== undefined && claimed !== id) throw new Refusal("proof_invalid");
}

/** Who a person is at the Google-type provider: a signed token, for us, with this browser's nonce, used once. */
export async function verifyGoogleProof(
  deps: Dependencies,
  input: { IdToken?: string | undefined; GoogleCustomerId?: string | undefined },
  call: RequestContext,
  { idNeeded = false } = {},
): Promise<SocialIdentity> {
  const { IdToken, GoogleCustomerId } = input;
  const { google } = deps.proofs;
  if (!google) throw new Refusal("not_configured");
  if (!IdToken) throw missing("IdToken");
  return deps.limits.socialProof(call.address, async () => {
    const { nonce, ...identity } = await google(IdToken);
    requireSameId("GoogleCustomerId", GoogleCustomerId, identity.id, idNeeded);
    // Last, so that neither an unavailable provider nor a mistake in the form uses the nonce up.
    await consumeNonce(deps, nonce, call);
    return identity;
  });
}

/** Who a person is at the Facebook-type provider: it says that the token is valid, for us, and whose. */
export async function verifyFacebookProof(
  deps: Dependencies,
  input: { AccessToken?: string | undefined; FacebookCustomerId?: string | undefined },
  call: RequestContext,
  { idNeeded = false } = {},
): Promise<SocialIdentity> {
  const { AccessToken, FacebookCustomerId } = input;
  const { facebook } = deps.proofs;
  if (!facebook) throw new Refusal("not_configured");
  if (!AccessToken) throw missing("AccessToken");
  return deps.limits.socialProof(call.address, async () => {
    const identity = await facebook(AccessToken);
    requireSameId("FacebookCustomerId", FacebookCustomerId, identity.id, idNeeded);
    return identity;
  });
}
