import type { FindProgramme } from "#loyalty/programme/programme.server.ts";
import { room } from "#platform/api/api.server.ts";
import type { ReadReplica } from "#platform/database/replica.server.ts";
import * as calls from "./calls.ts";
import { figuresContract } from "./contract.server.ts";
import { figuresAsCsv } from "./csv.server.ts";
import { readFigures } from "./report.server.ts";

type AskedFor = Parameters<typeof readFigures> extends [unknown, ...infer Rest] ? Rest : never;

/** Figures may be some seconds old. */
export function figuresRoom({
  findProgramme,
  readReplica,
}: {
  findProgramme: FindProgramme;
  readReplica: ReadReplica;
}) {
  const read = (...asked: AskedFor) => readReplica((database) => readFigures({ database, findProgramme }, ...asked));
  return room(figuresContract, {
    async [calls.readFigures]({ caller, input, now, locale }) {
      return read(caller, input, { now, locale });
    },

    async [calls.figuresCsv]({ caller, input, now, locale }) {
      return figuresAsCsv(await read(caller, input, { now, locale }), input.Table, locale);
    },
  });
}
