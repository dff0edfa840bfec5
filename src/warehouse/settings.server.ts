import { resolve } from "node:path";
import { z } from "zod";

/** The settings of the data export, as the environment spells them. */
export const warehouseEnvironment = { WAREHOUSE_DIR: z.string().optional() };

/** Where the nightly export goes; without it there is none. */
export const warehouseSettings = ({ WAREHOUSE_DIR }: { WAREHOUSE_DIR?: string | undefined }) => ({
  warehouseDir: WAREHOUSE_DIR ? resolve(WAREHOUSE_DIR) : undefined,
});
