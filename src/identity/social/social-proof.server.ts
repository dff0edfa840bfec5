import type { Dependencies, RequestContext } from "#identity/dependencies.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { consumeNonce } from "./nonce.server.ts";
import type { SocialIdentity } from "./social-identity.server.ts";

const missing = (field: "IdToken" | "AccessToken") =>
  new Refusal("proof_missing", { errors: [{ field, code: "required" }] });

/** The number that came along must be the proof's own; where it is needed, its absence is a matter of the form. */
function sameId(field: string, claimed: string | undefined, id: string, needed: boolean): void {
  if (claimed === undefined && needed) throw new Refusal("invalid", { errors: [{ field, code: "required" }] });
  if (claimed !== undefined && claimed !== id) throw new Refusal("proof_invalid");
}

/** Who somebody is at the Google-type provider: a signed token, for us, with this browser's nonce, used once. */
export async function proveByGoogle(
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
    sameId("GoogleCustomerId", GoogleCustomerId, identity.id, idNeeded);
    // Last, so that neither a provider that is away nor a slip in the form uses it up.
    await consumeNonce(deps, nonce, call);
    return identity;
  });
}

/** Who somebody is at the Facebook-type provider: it says the token is good, ours, and whose. */
export async function proveByFacebook(
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
    sameId("FacebookCustomerId", FacebookCustomerId, identity.id, idNeeded);
    return identity;
  });
}
