import { createHmac } from "node:crypto";
import { z } from "zod";
import {
  type Fetch,
  personOf,
  providerTimeoutMs,
  providerUnavailable,
  type SocialIdentity,
} from "#identity/social/social-identity.server.ts";
import { Refusal } from "#platform/refusal.ts";

const TokenCheck = z.object({
  data: z.object({
    is_valid: z.boolean(),
    app_id: z.string().optional(),
    user_id: z.string().optional(),
    type: z.string().optional(),
    issued_at: z.number().optional(),
    expires_at: z.number().optional(),
  }),
});
const Profile = z.object({
  id: z.string().min(1).max(255),
  email: z.string().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  name: z.string().optional(),
});

/** Checks an access token, and returns whose it is. */
export type CheckFacebook = (accessToken: string) => Promise<SocialIdentity>;

export function createCheckFacebook(
  facebook: { appId: string; appSecret: string; graphUrl: string },
  fetch: Fetch,
): CheckFacebook {
  async function ask<T>(path: string, query: Record<string, string>, schema: z.ZodType<T>): Promise<T> {
    let status: number;
    let body: unknown;
    try {
      const response = await fetch(`${facebook.graphUrl}/${path}?${new URLSearchParams(query)}`, {
        signal: AbortSignal.timeout(providerTimeoutMs),
        redirect: "error",
      });
      status = response.status;
      body = await response.json();
    } catch {
      throw providerUnavailable();
    }
    // The provider refuses the token; its own failures have other statuses.
    if (status >= 400 && status < 500 && status !== 429) throw new Refusal("proof_invalid");
    const read = schema.safeParse(body);
    if (status !== 200 || !read.success) throw providerUnavailable();
    return read.data;
  }

  return async (accessToken) => {
    const ours = `${facebook.appId}|${facebook.appSecret}`;
    const { data } = await ask("debug_token", { input_token: accessToken, access_token: ours }, TokenCheck);
    const expired = data.expires_at ? data.expires_at * 1_000 <= Date.now() : false;
    const forUs = data.is_valid && data.app_id === facebook.appId && (data.type ?? "USER") === "USER" && !expired;
    if (!forUs || !data.user_id) throw new Refusal("proof_invalid");
    const profile = await ask(
      "me",
      {
        fields: "id,email,first_name,last_name,name",
        access_token: accessToken,
        appsecret_proof: createHmac("sha256", facebook.appSecret).update(accessToken).digest("hex"),
      },
      Profile,
    );
    if (profile.id !== data.user_id) throw new Refusal("proof_invalid");
    return {
      provider: "facebook",
      id: profile.id,
      // This kind of provider does not say whether it has checked the address.
      emailVerified: false,
      ...personOf({ email: profile.email, given: profile.first_name, family: profile.last_name, full: profile.name }),
      issuedAt: data.issued_at === undefined ? undefined : new Date(data.issued_at * 1_000),
    };
  };
}
