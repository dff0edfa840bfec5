import type { LoaderFunctionArgs } from "react-router";
import { useLoaderData } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { readFigures } from "#office/figures/calls.ts";
import { refusedFields } from "#office/screen/failure.ts";
import { Empty, PageHead } from "#office/screen/page.tsx";
import { useSession } from "#office/screen/session.tsx";
import { browserCall } from "#platform/api/client.ts";
import { AllFigures } from "./all-figures.tsx";
import { DaysChart, LiabilityChart } from "./charts.tsx";
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
  try {
    return { ...(await browserCall(readFigures, input)), refused: undefined };
  } catch (error) {
    const refused = refusedFields(error, asked);
    // The form is shown again, with today and the shops.
    return { ...(await browserCall(readFigures)), refused };
  }
}

/** The figures of a period: six that head the page, two charts with their tables, the shops, and all of them with definitions. */
export function Figures() {
  const figures = useLoaderData<typeof loadFigures>();
  const { t } = useTexts();
  const { Role } = useSession();
  const { title, day, csvOf } = useFigures(figures);
  const { Before, Figures: all, Outstanding, refused } = figures;
  // Somebody of one shop has no choice.
  const shops = Role === "shop" ? [] : figures.AllShops;
  const nothing = all.every(({ Name, Value, Previous }) => Name === "pending" || (Value === 0 && Previous === 0));
  return (
    <>
      <PageHead
        title={refused ? t("office.menu.figures") : title}
        note={!refused && t("office.figures.compared", { from: day(Before.From), to: day(Before.To) })}
      >
        <PeriodForm figures={figures} shops={shops} refused={refused} />
        {!refused && (
          <a className="office-button" href={csvOf("figures")} download>
            {t("office.csv")}
          </a>
        )}
      </PageHead>
      <Periods figures={figures} shops={shops} isShown={!refused} />
      {!refused && nothing && <Empty>{t("office.figures.empty")}</Empty>}
      {!refused && !nothing && (
        <>
          <Heads figures={figures} />
          <div className="office-charts">
            <DaysChart figures={figures} />
            {Outstanding && <LiabilityChart figures={figures} outstanding={Outstanding} />}
          </div>
          <ShopsTable figures={figures} />
          {all.length > 6 && <AllFigures figures={figures} />}
        </>
      )}
    </>
  );
}
