import type { LoaderFunctionArgs } from "react-router";
import { useLoaderData } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { readMetrics } from "#office/metrics/calls.ts";
import { refusedFields } from "#office/screen/failure.ts";
import { PageHead } from "#office/screen/page.tsx";
import { useSession } from "#office/screen/session.tsx";
import { browserCall } from "#platform/api/client/client.ts";
import { Empty } from "#ui/empty.tsx";
import { AllMetrics } from "./all-metrics.tsx";
import { DaysChart, LiabilityChart } from "./charts.tsx";
import { KeyMetrics } from "./key-metrics.tsx";
import { PeriodForm, Periods } from "./period-form.tsx";
import { ShopsTable } from "./shops-table.tsx";
import { useMetrics } from "./use-metrics.ts";

const asked = ["From", "To", "IdShop", "Compare"] as const;

export async function loadMetrics({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const input = Object.fromEntries(
    asked.flatMap((name) => (searchParams.get(name) ? [[name, searchParams.get(name)]] : [])),
  );
  try {
    return { ...(await browserCall(readMetrics, input)), refused: undefined };
  } catch (error) {
    const refused = refusedFields(error, asked);
    // The form is shown again, with today and the shops.
    return { ...(await browserCall(readMetrics)), refused };
  }
}

/** The metrics of a period: six key metrics, two charts with their tables, the shops, and all of them with definitions. */
export function Metrics() {
  const metrics = useLoaderData<typeof loadMetrics>();
  const { t } = useTexts();
  const { Role } = useSession();
  const { title, day, csvOf } = useMetrics(metrics);
  const { Before, Figures: all, Outstanding, refused } = metrics;
  // A person of one shop has no choice.
  const shops = Role === "shop" ? [] : metrics.AllShops;
  const nothing = all.every(({ Name, Value, Previous }) => Name === "pending" || (Value === 0 && Previous === 0));
  return (
    <>
      <PageHead
        title={refused ? t("office.menu.figures") : title}
        note={!refused && t("office.figures.compared", { from: day(Before.From), to: day(Before.To) })}
      >
        <PeriodForm metrics={metrics} shops={shops} refused={refused} />
        {!refused && (
          <a className="button" href={csvOf("figures")} download>
            {t("office.csv")}
          </a>
        )}
      </PageHead>
      <Periods metrics={metrics} shops={shops} isShown={!refused} />
      {!refused && nothing && <Empty>{t("office.figures.empty")}</Empty>}
      {!refused && !nothing && (
        <>
          <KeyMetrics metrics={metrics} />
          <div className="office-charts">
            <DaysChart metrics={metrics} />
            {Outstanding && <LiabilityChart metrics={metrics} outstanding={Outstanding} />}
          </div>
          <ShopsTable metrics={metrics} />
          {all.length > 6 && <AllMetrics metrics={metrics} />}
        </>
      )}
    </>
  );
}
