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
      const found = (await monthEnd.listMonths(database, now)).find((one) => one.month === month);
      if (!found || found.stored?.closedAt) throw new Refusal("not_found");
      await monthEnd.draftMonth(database, month, now);
      const after = { month: input.Month };
      await writeAudit(database, entryOf(caller, { action: "month_drafted", after, requestId, at: now }));
      return {};
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

    async [calls.closeMonth]({ caller, input, now, requestId }) {
      const { staffId } = caller;
      const closing = { month: `${input.Month}-01`, draftedAt: new Date(input.DraftedAt), staffId, now };
      await monthEnd.closeMonth(database, closing, async (tx, { points }) => {
        const after = { month: input.Month, points: points.closing };
        await writeAudit(tx, entryOf(caller, { action: "month_closed", after, requestId, at: now }));
      });
      return {};
    },
  });
}
