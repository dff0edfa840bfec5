import type { ResponseBody } from "#platform/api/api.ts";
import type { readLoyalty } from "./calls.ts";

/** Where a customer stands in the club: card, points, tier. */
export type Standing = ResponseBody<typeof readLoyalty>;
