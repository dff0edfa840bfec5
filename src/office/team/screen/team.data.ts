import { listShops } from "#office/shops/calls.ts";
import { listStaff } from "#office/team/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";

export type Person = ResponseBody<typeof listStaff>["Staff"][number];

export async function loadTeam() {
  const [{ Staff }, { Shops }] = await Promise.all([browserCall(listStaff), browserCall(listShops)]);
  return { Staff, Shops };
}
