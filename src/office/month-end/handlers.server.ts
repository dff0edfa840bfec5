import * as monthEnd from "#loyalty/ledger/month-end/month-end.server.ts";
import type { FindProgramme } from "#loyalty/programme/programme.server.ts";
import { entryOf } from "#office/audit.server.ts";
import { apiModule } from "#platform/api/api-module.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { writeAudit } from "#staff/audit.server.ts";
import * as calls from "./calls.ts";
import { monthEndContract } from "./contract.server.ts";
import { monthEndAsCsv } from "./csv.server.ts";
import { closeByJob, draftByJob } from "./jobs.server.ts";
import { readMonthEnd } from "./report.server.ts";

export function monthEndModule(deps: { database: Database; findProgramme: FindProgramme }) {
  const { database } = deps;
  return apiModule(monthEndContract, {
    async [calls.readMonthEnd]({ input, now, locale }) {
      return readMonthEnd(deps, input.Month, { now, locale });
    },

    async [calls.monthEndCsv]({ input, now, locale }) {
      const read = await readMonthEnd(deps, input.Month, { now, locale });
      if (!read.Book) throw new Refusal("not_found");
      return monthEndAsCsv({ ...read, Book: read.Book }, locale);
    },

    async [calls.draftMonth]({ caller, input, now, requestId }) {
      const month = `${input.Month}-01`;
      const isDone = await draftByJob(database, month, async (tx) => {
        const found = (await monthEnd.listMonths(tx, now)).find((one) => one.month === month);
        if (!found || found.stored?.closedAt) throw new Refusal("not_found");
        const after = { month: input.Month };
        await writeAudit(tx, entryOf(caller, { action: "month_drafted", after, requestId, at: now }));
      });
      return { InProgress: !isDone };
    },

    async [calls.chooseRedemption]({ caller, input, now, requestId }) {
      await database.transaction(async (tx) => {
        const before = await monthEnd.chooseRedemption(tx, `${input.Month}-01`, input.Percent);
        await writeAudit(
          tx,
          entryOf(caller, {
            ...{ action: "redemption_chosen", requestId, at: now },
            before: { redemption: before },
            after: { month: input.Month, redemption: input.Percent },
          }),
        );
      });
      return {};
    },

    async [calls.closeMonth]({ caller: { staffId }, input, now, requestId }) {
      const month = `${input.Month}-01`;
      const closing = { month, draftedAt: input.DraftedAt, staffId, requestId };
      const isDone = await closeByJob(database, closing, (tx) =>
        monthEnd.checkClosing(tx, { month, draftedAt: new Date(input.DraftedAt), now }),
      );
      return { InProgress: !isDone };
    },
  });
}
