import type { LoaderFunctionArgs } from "react-router";
import { useLoaderData } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { readFigures } from "#office/figures/calls.ts";
import { Empty, PageHead } from "#office/screen/page.tsx";
import { useSession } from "#office/screen/session.tsx";
import { browserCall } from "#platform/api/client.ts";
import { AllFigures } from "./all-figures.tsx";
import { DaysChart, OutstandingChart } from "./charts.tsx";
import { Heads } from "./heads.tsx";
import { PeriodForm, Periods } from "./period-form.tsx";
import { ShopsTable } from "./shops-table.tsx";
import { useFigures } from "./use-figures.ts";

const asked = ["From", "To", "IdShop"] as const;

export async function loadFigures({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const input = Object.fromEntries(
    asked.flatMap((name) => (searchParams.get(name) ? [[name, searchParams.get(name)]] : [])),
  );
  return browserCall(readFigures, input);
}

/** The figures of a period: six that head the page, two charts with their tables, the shops, and all of them with definitions. */
export function Figures() {
  const figures = useLoaderData<typeof loadFigures>();
  const { t } = useTexts();
  const { Role } = useSession();
  const { title, day, csvOf } = useFigures(figures);
  const { Before, Figures: all, Outstanding } = figures;
  // Somebody of one shop has no choice.
  const shops = Role === "shop" ? [] : figures.AllShops;
  const nothing = all.every(({ Value, Previous }) => Value === 0 && Previous === 0);
  return (
    <>
      <PageHead title={title} note={t("office.figures.compared", { from: day(Before.From), to: day(Before.To) })}>
        <PeriodForm figures={figures} shops={shops} />
        <a className="office-button" href={csvOf("figures")} download>
          {t("office.csv")}
        </a>
      </PageHead>
      <Periods figures={figures} shops={shops} />
      {nothing ? (
        <Empty>{t("office.figures.empty")}</Empty>
      ) : (
        <>
          <Heads figures={figures} />
          <div className="office-charts">
            <DaysChart figures={figures} />
            {Outstanding && <OutstandingChart figures={figures} outstanding={Outstanding} />}
          </div>
          <ShopsTable figures={figures} />
          {all.length > 6 && <AllFigures figures={figures} />}
        </>
      )}
    </>
  );
}
