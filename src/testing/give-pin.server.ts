import type { Queries } from "#platform/database/database.server.ts";
import type { Pins } from "#staff/pins.server.ts";
import { newPin, writePin } from "#staff/staff.server.ts";

/** A PIN that a test knows, for a person who would have chosen it by the mailed link. */
export async function givePin(queries: Queries, pins: Pins, staffId: number): Promise<string> {
  const { pin, pinHash } = await newPin(pins);
  await writePin(queries, staffId, pinHash);
  return pin;
}
