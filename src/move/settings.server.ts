import { join, resolve } from "node:path";
import { z } from "zod";

/** The settings of a move, as the environment spells them. */
export const moveEnvironment = { MOVE_DIR: z.string().optional() };

/** Where packages are named from in the back office, and where those that are uploaded go. */
export const moveSettings = ({ MOVE_DIR }: { MOVE_DIR?: string | undefined }, dataDir: string) => ({
  moveDir: MOVE_DIR ? resolve(MOVE_DIR) : join(dataDir, "packages"),
});
