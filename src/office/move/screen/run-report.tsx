import { Link } from "react-router";
import { amountOf } from "#brand/amounts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { readMove } from "#office/move/calls.ts";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { Empty } from "#ui/empty.tsx";
import { Table } from "#ui/table.tsx";
import { RunState } from "./run-state.tsx";

type Report = ResponseBody<typeof readMove>;
type Result = NonNullable<Report["Result"]>;

/** One run, made to be read and printed: old system, package, ledger, difference; what was rejected; the signature. */
export function RunReport({ report }: { report: Report }) {
  const { t, locale } = useTexts();
  const { moment } = useFormats();
  const { Run, Checked, Result, Chart } = report;
  const csv = new URLSearchParams({ IdRun: String(Run.IdRun), LanguageIsoCode: locale });
  const note = `${Run.Package ?? Run.Source} · ${moment(Run.StartedAt)}${Run.StartedBy ? ` · ${Run.StartedBy}` : ""}`;
  return (
    <>
      <PageHead title={t("office.move.report", { step: t(`office.move.do.${Run.Step}`), run: Run.IdRun })} note={note}>
        <button type="button" className="button small" onClick={() => print()}>
          {t("office.move.print")}
        </button>
      </PageHead>
      <p>
        <Link to="?">{t("office.move.all")}</Link>
      </p>
      <p role="status" className="office-month-state">
        <RunState run={Run} />
      </p>
      {Checked && <Counted checked={Checked} />}
      {Result && (
        <section aria-labelledby="reconciliation">
          <div className="office-section">
            <h2 id="reconciliation">{t("office.move.reconciliation")}</h2>
            <a className="office-link" href={`/api/office/move/reconciliation/csv?${csv}`} download>
              {t("office.csv")}
            </a>
          </div>
          <Sums result={Result} />
          {Chart && (
            <div className="office-charts">
              <figure>
                <figcaption>{t("office.move.months")}</figcaption>
                {/* biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by our own server out of numbers */}
                <div dangerouslySetInnerHTML={{ __html: Chart }} />
              </figure>
            </div>
          )}
          <Checks result={Result} />
          <p className="note wrap">
            {t("office.move.signed", {
              hash: Result.PackageHash,
              release: Result.Release,
              signature: Result.Signature,
            })}
          </p>
        </section>
      )}
      <section aria-labelledby="rejected">
        <div className="office-section">
          <h2 id="rejected">{t("office.moveCase.rejected")}</h2>
          {Run.Rejected > 0 && (
            <a className="office-link" href={`/api/office/move/rejected/csv?${csv}`} download>
              {t("office.csv")}
            </a>
          )}
        </div>
        <Rejections report={report} />
      </section>
    </>
  );
}

/** Points and counts as numbers, amounts as money. */
function useMeasures() {
  const { number, money } = useTexts();
  return (name: string, given: number | null) => {
    if (given === null) return "";
    if (name !== "VoucherAmountOpen") return number(given);
    return `${given < 0 ? "\u2212" : ""}${money(amountOf(Math.abs(given)))}`;
  };
}

/** What a check has counted, beside the manifest. */
function Counted({ checked }: { checked: NonNullable<Report["Checked"]> }) {
  const { t } = useTexts();
  const value = useMeasures();
  const rows = [
    ...checked.Files.map(({ File, Manifest, Rejected }) => ({
      ...{
        key: File,
        shown: t("office.move.rows", { file: File }),
        Manifest,
        Package: Manifest,
        Moved: Manifest - Rejected,
      },
    })),
    ...checked.Measures.map((one) => ({ ...one, key: one.Name, shown: t(`office.move.measure.${one.Name}`) })),
  ];
  return (
    <section aria-labelledby="counted">
      <h2 id="counted">{t("office.move.counted")}</h2>
      <Table
        label={t("office.move.counted")}
        stacked
        headings={[
          t("office.inbox.what"),
          { number: t("office.move.manifest") },
          { number: t("office.move.package") },
          { number: t("office.move.moved") },
        ]}
      >
        {rows.map((row) => (
          <tr key={row.key}>
            <td>{row.shown}</td>
            <td className="number">{value(row.key, row.Manifest)}</td>
            <td className="number">{value(row.key, row.Package)}</td>
            <td className="number">{value(row.key, row.Moved)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Sums({ result }: { result: Result }) {
  const { t } = useTexts();
  const value = useMeasures();
  const rows = [
    ...result.Measures.map((one) => ({
      ...one,
      key: one.Name,
      shown: t(`office.move.measure.${one.Name}`),
    })),
    ...result.Statuses.map((one) => ({ ...one, key: `status ${one.Name}`, shown: one.Name })),
    ...result.Months.map((one) => ({ ...one, key: one.Month, shown: t("office.move.month", { month: one.Month }) })),
  ];
  return (
    <Table
      label={t("office.move.reconciliation")}
      stacked
      headings={[
        t("office.inbox.what"),
        { number: t("office.move.old") },
        { number: t("office.move.package") },
        { number: t("office.move.explained") },
        { number: t("office.move.ledger") },
        { number: t("office.move.difference") },
      ]}
    >
      {rows.map((row) => (
        <tr key={row.key}>
          <td>{row.shown}</td>
          <td className="number">{value(row.key, row.OldSystem)}</td>
          <td className="number">{value(row.key, row.Package)}</td>
          <td className="number">{value(row.key, row.Explained)}</td>
          <td className="number">{value(row.key, row.Ledger)}</td>
          <td className="number">{value(row.key, row.Difference)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Compared member by member, and the invariants of the ledger. */
function Checks({ result }: { result: Result }) {
  const { t, number } = useTexts();
  const broken = result.Invariants.filter(({ Violations }) => Violations > 0);
  return (
    <>
      <Table
        label={t("office.move.checks")}
        headings={[
          t("office.move.checks"),
          { number: t("office.move.compared") },
          { number: t("office.move.difference") },
        ]}
      >
        {result.Checks.map(({ Name, Compared, Different }) => (
          <tr key={Name}>
            <td>{t(`office.move.check.${Name}`)}</td>
            <td className="number">{number(Compared)}</td>
            <td className="number">{number(Different)}</td>
          </tr>
        ))}
      </Table>
      <p>
        {broken.length === 0
          ? t("office.move.invariants", { count: result.Invariants.length })
          : broken.map((one) => `${one.Number} ${one.Name}: ${number(one.Violations)}`).join(", ")}
      </p>
    </>
  );
}

function Rejections({ report: { Rejections: rows, Reasons } }: { report: Report }) {
  const { t, number } = useTexts();
  if (rows.length === 0) return <Empty>{t("office.move.noneRejected")}</Empty>;
  return (
    <>
      <ul>
        {Reasons.map(({ Reason, Count }) => (
          <li key={Reason}>
            {number(Count)} × {t(`office.move.reason.${Reason}`)}
          </li>
        ))}
      </ul>
      <Table
        label={t("office.moveCase.rejected")}
        stacked
        headings={[
          t("office.move.file"),
          { number: t("office.move.line") },
          t("office.move.column"),
          t("office.move.value"),
          t("office.approvals.why"),
        ]}
      >
        {rows.map((row) => (
          <tr key={`${row.File} ${row.Line} ${row.Column} ${row.Reason}`}>
            <td>{row.File}</td>
            <td className="number">{row.Line}</td>
            <td>{row.Column}</td>
            <td className="wrap">{row.Value}</td>
            <td>{t(`office.move.reason.${row.Reason}`)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}
