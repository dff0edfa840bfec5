import type { FindProgramme } from "#loyalty/programme/programme.server.ts";
import { parseSegment } from "#loyalty/segments/parse-segment.server.ts";
import { apiModule } from "#platform/api/api-module.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import * as calls from "./calls.ts";
import { segmentsContract } from "./contract.server.ts";
import { exportSegment } from "./export.server.ts";
import { archiveSegment, countSegment, listSegments, readExamples, saveSegment } from "./segments.server.ts";

export function segmentsModule(deps: { database: Database; findProgramme: FindProgramme }) {
  const { database } = deps;
  return apiModule(segmentsContract, {
    async [calls.listSegments]({ now, locale }) {
      return listSegments(deps, now, locale);
    },

    async [calls.countSegment]({ input, now }) {
      return countSegment(database, parseSegment(input.Definition), now);
    },

    async [calls.readExamples]({ input, ...call }) {
      return readExamples(database, parseSegment(input.Definition), call);
    },

    async [calls.saveSegment]({ input, ...call }) {
      const { Definition, Sends = false, ...saved } = input;
      return saveSegment(database, { ...saved, Sends, definition: parseSegment(Definition) }, call);
    },

    async [calls.archiveSegment]({ input, ...call }) {
      await archiveSegment(database, input.IdSegment, call);
      return {};
    },

    async [calls.exportSegment]({ input, ...call }) {
      return exportSegment(database, input, call);
    },
  });
}
