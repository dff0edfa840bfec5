import { Fragment, useState } from "react";
import type { TextId } from "#i18n/texts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Rules } from "#loyalty/programme/rules.ts";
import { compareRules, type Difference } from "#loyalty/programme/versions/differences.ts";
import { useWords } from "./use-words.ts";

/** The parts of the table, each with its heading. */
const parts: [heading: TextId, parts: Difference["part"][]][] = [
  ["office.programme.part.points", ["numbers", "referral"]],
  ["office.programme.part.lines", ["earnsOn", "lineCodes"]],
  ["office.programme.part.tiers", ["tiers", "benefits"]],
  ["office.programme.part.events", ["events"]],
  ["office.programme.part.rewards", ["rewards"]],
  ["office.programme.contact", ["contact"]],
];

/** Two programmes side by side: what changes has a gold edge, the old value struck and a word. */
export function Comparison({
  before,
  after,
  headings,
}: {
  before: Rules;
  after: Rules;
  headings: [before: string, after: string];
}) {
  const { t } = useTexts();
  const words = useWords();
  const [changesOnly, setChangesOnly] = useState(false);
  const all = compareRules(before, after);
  const rows = changesOnly ? all.filter(({ changes }) => changes.length > 0) : all;
  return (
    <>
      <label className="office-check">
        <input type="checkbox" checked={changesOnly} onChange={({ target }) => setChangesOnly(target.checked)} />
        {t("office.programme.changesOnly")}
      </label>
      <div className="scroll">
        <table className="data-table programme-comparison" aria-label={t("office.programme.differences")}>
          <thead>
            <tr>
              <th scope="col">{t("office.programme.ruleHead")}</th>
              <th scope="col">{headings[0]}</th>
              <th scope="col">{headings[1]}</th>
              <th scope="col">
                <span className="sr-only">{t("office.programme.changeHead")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {parts.map(([heading, of]) => {
              const own = rows.filter(({ part }) => of.includes(part));
              if (own.length === 0) return null;
              return (
                <Fragment key={heading}>
                  <tr>
                    <th colSpan={4} scope="colgroup" className="part">
                      {t(heading)}
                    </th>
                  </tr>
                  {own.map((row, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the rows hold no state.
                    <Row key={index} row={row} words={words(row)} />
                  ))}
                </Fragment>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Row({ row, words }: { row: Difference; words: ReturnType<ReturnType<typeof useWords>> }) {
  const { t } = useTexts();
  const changed = row.changes.length > 0;
  // Words in another language, or beside the rule: both look the same here.
  const struck = changed && words.before !== words.after;
  return (
    <tr className={changed ? "changed" : undefined}>
      <td>{words.name}</td>
      <td>{words.before === null ? "–" : struck ? <s>{words.before}</s> : words.before}</td>
      <td>{words.after ?? "–"}</td>
      <td className="gold">{row.changes.map((change) => t(`office.programme.change.${change}`)).join(", ")}</td>
    </tr>
  );
}

/** Today's rules alone, for who only reads. */
export function RulesTable({ rules }: { rules: Rules }) {
  const { t } = useTexts();
  const words = useWords();
  const all = compareRules(rules, rules);
  return (
    <div className="scroll">
      <table className="data-table programme-comparison" aria-label={t("office.programme.today")}>
        <thead>
          <tr>
            <th scope="col">{t("office.programme.ruleHead")}</th>
            <th scope="col">{t("office.programme.valueHead")}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(([heading, of]) => (
            <Fragment key={heading}>
              <tr>
                <th colSpan={2} scope="colgroup" className="part">
                  {t(heading)}
                </th>
              </tr>
              {all
                .filter(({ part }) => of.includes(part))
                .map((row, index) => {
                  const { name, after } = words(row);
                  return (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the rows hold no state.
                    <tr key={index}>
                      <td>{name}</td>
                      <td>{after}</td>
                    </tr>
                  );
                })}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}
