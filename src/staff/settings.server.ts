import type { z } from "zod";
import { keySetting } from "#platform/database/keys/key-file.server.ts";
import type { Settings } from "#platform/settings.server.ts";

/** The settings of staff, as the environment spells them. */
export const staffEnvironment = { PIN_KEY: keySetting() };

export function staffSettings(given: Partial<z.output<z.ZodObject<typeof staffEnvironment>>>) {
  return { pinKey: given.PIN_KEY };
}

/** What staff reads of the product's settings. */
export type StaffSettings = Pick<Settings, "dataDir"> & ReturnType<typeof staffSettings>;
