import type { FindProgramme } from "#loyalty/programme/programme.server.ts";
import { room } from "#platform/api/api.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import * as calls from "./calls.ts";
import { figuresContract } from "./contract.server.ts";
import { figuresAsCsv } from "./csv.server.ts";
import { readFigures } from "./report.server.ts";

export function figuresRoom(parts: { database: Database; findProgramme: FindProgramme }) {
  return room(figuresContract, {
    async [calls.readFigures]({ caller, input, now, locale }) {
      return readFigures(parts, caller, input, { now, locale });
    },

    async [calls.figuresCsv]({ caller, input, now, locale }) {
      return figuresAsCsv(await readFigures(parts, caller, input, { now, locale }), input.Table, locale);
    },
  });
}
