import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import type { Reconciliation } from "#move/reconcile/reconcile.server.ts";
import { reconciliationCsv, rejectedCsv } from "#move/reconcile/report.server.ts";
import { barChart } from "#office/metrics/bar-chart.server.tsx";
import { apiModule } from "#platform/api/api-module.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import * as calls from "./calls.ts";
import { closeCase, listCases, readCase } from "./cases.server.ts";
import { moveContract } from "./contract.server.ts";
import { listRuns, readRun, resultOf, startRun, upload } from "./runs.server.ts";
import { runsContract } from "./runs-contract.server.ts";

export function moveModule({ database, settings }: { database: Database; settings: { moveDir: string } }) {
  const place = { database, folder: settings.moveDir };
  return apiModule(
    { ...moveContract, ...runsContract },
    {
      async [calls.listMoveCases]() {
        return listCases(database);
      },
      async [calls.readMoveCase]({ input, ...call }) {
        return readCase(database, input.IdCase, call);
      },
      async [calls.closeMoveCase]({ queries, input, ...call }) {
        await closeCase(queries, input.IdCase, call);
        return {};
      },
      async [calls.listMoves]({ locale }) {
        return listRuns(database, settings.moveDir, locale);
      },
      async [calls.readMove]({ input, locale }) {
        const found = await readRun(database, input.IdRun, locale);
        return { ...found, Chart: found.Result && chartOf(found.Result, locale) };
      },
      async [calls.moveRejectedCsv]({ input }) {
        return csvFile(`rejected-${input.IdRun}.csv`, await rejectedCsv(database, input.IdRun));
      },
      async [calls.moveReconciliationCsv]({ input }) {
        const result = await resultOf(database, input.IdRun);
        if (!result) throw new Refusal("not_found");
        return csvFile(`reconciliation-${input.IdRun}.csv`, reconciliationCsv(result));
      },
      async [calls.startMove]({ input, ...call }) {
        const asked = { name: input.Package, step: input.Step, acceptRejected: input.AcceptRejected ?? 0 };
        return startRun(place, asked, call);
      },
      async [calls.uploadPackage]({ input, ...call }) {
        const part = Buffer.from(input.Part, "base64");
        await upload(place, { name: input.Package, offset: input.Offset, part, last: input.Last }, call);
        return {};
      },
    },
  );
}

/** The liability by month of expiry, as it is in the ledger after the move. */
const chartOf = ({ Months }: Reconciliation, locale: Locale) =>
  barChart(
    {
      Months: Months.map(({ Month, Ledger }) => ({ Month, Points: Ledger, Tiers: [Ledger] })),
      TierNames: [textsOf[locale].t("office.move.ledger")],
    },
    locale,
  );

const csvFile = (fileName: string, text: string) =>
  new Response(text, {
    headers: {
      "content-type": "text/csv; charset=UTF-8",
      "content-disposition": `attachment; filename="${fileName}"`,
      "cache-control": "no-store",
    },
  });
