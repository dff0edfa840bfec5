import { mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { Entry, Store } from "./queue.ts";

/** Keeps entries in a file, which a crash leaves as it was or as it is written. */
export const fileStore = (file: string): Store => ({
  async read(): Promise<Entry[]> {
    try {
      return JSON.parse(await readFile(file, "utf8"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      return [];
    }
  },
  async write(entries) {
    await mkdir(dirname(file), { recursive: true });
    const next = await open(`${file}.new`, "w");
    try {
      await next.writeFile(JSON.stringify(entries, null, 1));
      await next.sync();
    } finally {
      await next.close();
    }
    await rename(`${file}.new`, file);
  },
});
