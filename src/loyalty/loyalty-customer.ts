import type { ResponseBody } from "#platform/api/api.ts";
import type { readLoyalty } from "./calls.ts";

/** A customer as the club sees them: card, points, tier. */
export type LoyaltyCustomer = ResponseBody<typeof readLoyalty>;
