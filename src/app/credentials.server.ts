import { readOfficeToken } from "#office/sign-in/cookies.server.ts";
import type { Access } from "#platform/api/endpoint.server.ts";
import { readDevice } from "#till/sign-in/cookies.server.ts";

/**
 * The secret that a call by key, from a till or by staff is made with, whether it is valid or not. Never a name that a
 * stranger may know, such as a key's prefix: with it they could fill the queue of its owner.
 */
export function credentialOf(request: Request, access: Access): string | undefined {
  if (access === "key") return request.headers.get("authorization") ?? undefined;
  if (access === "till" || access === "till staff") return readDevice(request)?.secret;
  return access === "staff" ? readOfficeToken(request) : undefined;
}
