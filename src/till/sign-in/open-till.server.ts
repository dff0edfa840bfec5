import { sql } from "drizzle-orm";
import { hashToken } from "#identity/session/tokens.server.ts";
import type { OpenTill } from "#platform/api/callers.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { hashOf, type KeyLimits } from "#shop/keys/keys.server.ts";
import { readDevice, readStaffToken } from "./cookies.server.ts";

interface TillCall extends Record<string, unknown> {
  outcome: "done" | "not_paired" | "pin_required" | "too_many";
  shop_id: number;
  shop_name: string;
  shop_city: string;
  till_name: string;
  scopes: string[];
  failed_attempts: number;
  by_contact: number;
  wait_seconds: number;
  staff_id: number | null;
}

/**
 * Checks device and person in the database at every call, so revoking and ending work at once in every process
 * (db/functions/till_call.sql), and counts the call (db/functions/shop_key_count.sql).
 */
export function createOpenTill(database: Database, limits: KeyLimits): OpenTill {
  return async (request, { access, requestId, now }) => {
    const device = readDevice(request);
    if (!device) throw new Refusal("not_paired");
    const token = access === "till staff" ? (readStaffToken(request) ?? "") : undefined;
    const tokenHash = token === undefined ? null : hashToken(token);
    const { rows } = await database.execute<TillCall>(sql`
      select outcome, shop_id, shop_name, shop_city, till_name, scopes, failed_attempts, by_contact, wait_seconds, staff_id
      from till_call(${device.prefix}, ${hashOf(device.secret)}, ${token !== undefined}, ${tokenHash}, ${limits.calls},
        ${now.toISOString()})`);
    const [call] = rows;
    if (!call) throw new Error("till_call returned no row.");
    if (call.outcome === "too_many") throw new Refusal("too_many", { retryAfterSeconds: call.wait_seconds });
    if (call.outcome !== "done") throw new Refusal(call.outcome);
    return {
      prefix: device.prefix,
      shopId: call.shop_id,
      shopName: call.shop_name,
      shopCity: call.shop_city,
      tillName: call.till_name,
      scopes: call.scopes,
      web: false,
      api: 1,
      failedAttempts: call.failed_attempts,
      byContact: call.by_contact,
      ...(call.staff_id !== null && { staff: { id: call.staff_id, requestId } }),
    };
  };
}
