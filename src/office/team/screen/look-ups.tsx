import { Link, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { clubDay } from "#i18n/club-day.ts";
import type { TextId } from "#i18n/texts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { Label } from "#office/screen/controls/controls.tsx";
import { DayForm } from "#office/screen/controls/day-form.tsx";
import { type Column, List } from "#office/screen/controls/list.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import { readLookUps } from "#office/team/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";

export async function loadLookUps({ request }: LoaderFunctionArgs) {
  const Day = new URL(request.url).searchParams.get("day") ?? clubDay();
  return browserCall(readLookUps, { Day });
}

type Report = ResponseBody<typeof readLookUps>;

/** Who looked up how many customers on a day, with the daily limit of look-ups by address and phone. */
export function LookUps() {
  const { t } = useTexts();
  const { Day, DailyLimit, People, Keys, Exceeded } = useLoaderData<typeof loadLookUps>();
  return (
    <>
      <PageHead title={t("office.menu.lookUps")} note={t("office.lookUps.note", { limit: DailyLimit })} />
      <DayForm day={Day} today={clubDay()} />
      <Counts
        title="office.lookUps.people"
        rows={People.map((row) => ({ ...row, id: String(row.IdStaff), to: `/audit?staff=${row.IdStaff}&day=${Day}` }))}
      />
      <Counts
        title="office.lookUps.keys"
        rows={Keys.map((row) => ({ ...row, id: row.Prefix, beside: t(`office.lookUps.kind.${row.Kind}`) }))}
      />
      <OverTheLimit exceeded={Exceeded} />
    </>
  );
}

type Row = Omit<Report["People"][number], "IdStaff"> & { id: string; to?: string; beside?: string };

const columns = [
  ["Email", "email"],
  ["Phone", "phone"],
  ["Card", "card"],
  ["Voucher", "voucher"],
] as const;

/** Those who looked up most by address and phone stand first. */
function Counts({ title, rows }: { title: TextId; rows: readonly Row[] }) {
  const { t, number } = useTexts();
  return (
    <section aria-labelledby={title}>
      <h2 id={title}>{t(title)}</h2>
      <List
        label={t(title)}
        stacked
        rows={rows}
        columns={[
          { heading: t("office.lookUps.who"), value: ({ Name }) => Name },
          { heading: t("office.team.shop"), value: ({ ShopNames }) => ShopNames.join(", ") },
          ...columns.map(
            ([field, name]): Column<Row> => ({
              ...{ heading: t(`office.lookUps.by.${name}`), number: true, value: (row) => row[field] },
              total: (all) => number(all.reduce((sum, row) => sum + row[field], 0)),
            }),
          ),
        ]}
        empty={t("office.lookUps.none")}
        csvName="look-ups.csv"
        row={(row) => (
          <tr key={row.id}>
            <td>
              {row.to ? <Link to={row.to}>{row.Name}</Link> : row.Name}{" "}
              {row.OverLimit && <Label tone="bad">{t("office.lookUps.over")}</Label>}
              {row.beside && <span className="note"> {row.beside}</span>}
            </td>
            <td>{row.ShopNames.join(", ")}</td>
            {columns.map(([field]) => (
              <td key={field} className="number">
                {number(row[field])}
              </td>
            ))}
          </tr>
        )}
      />
    </section>
  );
}

/** Days on which a person went over the limit, each a link to that day. */
function OverTheLimit({ exceeded }: { exceeded: Report["Exceeded"] }) {
  const { t, number } = useTexts();
  const { dayOfYear } = useFormats();
  return (
    <section aria-labelledby="exceeded">
      <h2 id="exceeded">{t("office.lookUps.exceeded")}</h2>
      <List
        label={t("office.lookUps.exceeded")}
        stacked
        rows={exceeded}
        columns={[
          { heading: t("office.audit.day"), value: ({ Day }) => dayOfYear(Day), by: ({ Day }) => Day },
          { heading: t("office.lookUps.who"), value: ({ Name }) => Name },
          { heading: t("office.team.shop"), value: ({ ShopNames }) => ShopNames.join(", ") },
          { heading: t("office.lookUps.count"), number: true, value: ({ Count }) => Count },
        ]}
        empty={t("office.lookUps.noneExceeded")}
        csvName="over-limit.csv"
        row={({ Day, IdStaff, Prefix, Name, ShopNames, Count }) => (
          <tr key={`${Day} ${IdStaff} ${Prefix}`}>
            <td>
              <Link to={`?day=${Day}`}>{dayOfYear(Day)}</Link>
            </td>
            <td>{Name}</td>
            <td>{ShopNames.join(", ")}</td>
            <td className="number">{number(Count)}</td>
          </tr>
        )}
      />
    </section>
  );
}
