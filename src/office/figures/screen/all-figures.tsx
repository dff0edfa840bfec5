import { useTexts } from "#i18n/use-texts.tsx";
import { Table } from "#office/screen/table.tsx";
import { type Read, useFigures } from "./use-figures.ts";

/** Every figure with its definition beside it. */
export function AllFigures({ figures }: { figures: Read }) {
  const { t } = useTexts();
  const { shownOf, previousOf, changeOf, euros, csvOf } = useFigures(figures);
  const title = t("office.figures.all");
  return (
    <section className="office-all" aria-labelledby="all">
      <div className="office-section">
        <h2 id="all">{title}</h2>
        <a
          className="office-link"
          href={csvOf("figures")}
          download
          aria-label={t("office.figures.csvOf", { what: title })}
        >
          {t("office.csv")}
        </a>
      </div>
      <Table
        label={title}
        heads={[
          t("office.figures.figureHead"),
          { number: t("office.figures.period") },
          { number: t("office.figures.beforeHead") },
          { number: t("office.figures.change") },
          { number: t("office.figures.value") },
          t("office.figures.definitionHead"),
        ]}
      >
        {figures.Figures.map((figure) => (
          <tr key={figure.Name}>
            <td>{t(`office.figure.${figure.Name}`)}</td>
            <td className="number">{shownOf(figure)}</td>
            <td className="number">{previousOf(figure)}</td>
            <td className="number">{changeOf(figure)}</td>
            <td className="number">{figure.Cents === null ? "" : euros(figure.Cents)}</td>
            <td className="note">{figure.Definition}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
