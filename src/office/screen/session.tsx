import { useRouteLoaderData } from "react-router";
import type { readSession } from "#office/sign-in/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";

export type Session = ResponseBody<typeof readSession>;

/** Who is signed in, inside the pages that need it. */
export function useSession(): Session {
  return useRouteLoaderData("office") as Session;
}
