import { useTexts } from "#i18n/use-texts.tsx";
import { type Figure, type Read, useFigures } from "./use-figures.ts";

/** The six figures that head the page, each with its change, what it consists of, and its definition. */
export function Heads({ figures }: { figures: Read }) {
  const { t } = useTexts();
  const { shownOf, changeOf } = useFigures(figures);
  const noteOf = useNotes(figures);
  return (
    <dl className="office-heads">
      {figures.Figures.slice(0, 6).map((figure) => {
        const name = t(`office.figure.${figure.Name}`);
        return (
          <div key={figure.Name}>
            <dt>{name}</dt>
            <dd className="value">{shownOf(figure)}</dd>
            <dd>{changeOf(figure)}</dd>
            <dd className="note">{noteOf(figure)}</dd>
            <dd className="definition">
              <details name="definition">
                <summary aria-label={t("office.figures.definition", { figure: name })}>?</summary>
                <p>{figure.Definition}</p>
              </details>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** What a figure consists of, or what it is worth. */
function useNotes(figures: Read) {
  const { t } = useTexts();
  const { number, euros } = useFigures(figures);
  const of = (name: Figure["Name"]) => figures.Figures.find(({ Name }) => Name === name);
  const count = (name: Figure["Name"]) => of(name)?.Value ?? 0;
  return ({ Name, Cents }: Figure): string => {
    if (Name === "members") {
      const left = count("left") + count("erased") + count("merged");
      return t("office.figures.membersNote", { joined: number(count("joined")), left: number(left) });
    }
    if (Name === "active_share") return t("office.figures.activeNote");
    if (Name === "issued") return t("office.figures.issuedNote", { points: number(count("issued_purchase")) });
    if (Name === "spent")
      return t("office.figures.spentNote", { count: count("vouchers_obtained"), amount: euros(Cents ?? 0) });
    if (Cents === null) return "";
    return Name === "lapsed" || Name === "outstanding"
      ? t("office.figures.worth", { amount: euros(Cents) })
      : euros(Cents);
  };
}
