import type { FindProgramme } from "#loyalty/programme/programme.server.ts";
import { apiModule } from "#platform/api/api-module.server.ts";
import type { ReadReplica } from "#platform/database/postgres/replica.server.ts";
import * as calls from "./calls.ts";
import { metricsContract } from "./contract.server.ts";
import { metricsAsCsv } from "./csv.server.ts";
import { readMetrics } from "./report.server.ts";

type AskedFor = Parameters<typeof readMetrics> extends [unknown, ...infer Rest] ? Rest : never;

/** Metrics may be some seconds old. */
export function metricsModule({
  findProgramme,
  readReplica,
}: {
  findProgramme: FindProgramme;
  readReplica: ReadReplica;
}) {
  const read = (...asked: AskedFor) => readReplica((database) => readMetrics({ database, findProgramme }, ...asked));
  return apiModule(metricsContract, {
    async [calls.readMetrics]({ caller, input, now, locale }) {
      return read(caller, input, { now, locale });
    },

    async [calls.metricsCsv]({ caller, input, now, locale }) {
      return metricsAsCsv(await read(caller, input, { now, locale }), input.Table, locale);
    },
  });
}
