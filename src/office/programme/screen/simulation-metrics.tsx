import { centsPerUnit } from "#brand/amounts.ts";
import { tagOf } from "#i18n/club-day.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { readSimulation } from "#office/programme/calls.ts";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import type { ResponseBody } from "#platform/api/api.ts";

export type Simulation = NonNullable<ResponseBody<typeof readSimulation>["Simulation"]>;
export type SimulationResult = NonNullable<Simulation["Result"]>;

/** Points, cost, debt to members and statuses, beside today's. Each has its definition under it. */
export function SimulationMetrics({ result }: { result: SimulationResult }) {
  const { t, number, money, date, locale } = useTexts();
  const { signed } = useFormats();
  const { today, draft, salesCents, members, up, down } = result;
  const percent = (share: number, signDisplay: "auto" | "exceptZero" = "auto") =>
    new Intl.NumberFormat(tagOf(locale), { style: "percent", maximumFractionDigits: 1, signDisplay })
      .format(share)
      .replace("-", "\u2212");
  const share = (cents: number) => (salesCents > 0 ? percent(cents / salesCents) : "–");
  const whole = (cents: number) => money(Math.round(cents / centsPerUnit()));
  return (
    <>
      <p className="note">{t("office.simulation.period", { from: date(result.from), until: date(result.until) })}</p>
      <dl className="office-metrics">
        <div>
          <dt>{t("office.simulation.issued")}</dt>
          <dd className="metric">
            {today.issued > 0 ? percent(draft.issued / today.issued - 1, "exceptZero") : number(draft.issued)}
          </dd>
          <dd>{t("office.simulation.issuedNote", { today: number(today.issued), draft: number(draft.issued) })}</dd>
        </div>
        <div>
          <dt>{t("office.simulation.cost")}</dt>
          <dd className="metric">
            {share(today.costCents)} → {share(draft.costCents)}
          </dd>
          <dd>{t("office.simulation.costNote", { today: whole(today.costCents), draft: whole(draft.costCents) })}</dd>
        </div>
        <div>
          <dt>{t("office.simulation.liability")}</dt>
          <dd className="metric">{whole(draft.liabilityCents)}</dd>
          <dd>{t("office.simulation.liabilityNote", { today: whole(today.liabilityCents) })}</dd>
        </div>
        <div>
          <dt>{t("office.simulation.moves")}</dt>
          <dd className="metric">{number(up + down)}</dd>
          <dd>{t("office.simulation.movesNote", { up: signed(up), down: signed(-down), members: number(members) })}</dd>
        </div>
      </dl>
    </>
  );
}
