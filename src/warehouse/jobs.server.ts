import type { Jobs, Scheduled } from "#platform/jobs/jobs.server.ts";
import { exportWarehouse } from "./export.server.ts";

const exportJob = "warehouse:export";

export const warehouseSchedule: readonly Scheduled[] = [{ name: exportJob, clubTime: "01:30" }];

/** Every night, where a folder is configured. */
export const warehouseJobs = ({ warehouseDir, now }: { warehouseDir: string | undefined; now: () => Date }): Jobs => ({
  async [exportJob](_, database) {
    if (warehouseDir) await exportWarehouse(database, warehouseDir, { now: now() });
  },
});
