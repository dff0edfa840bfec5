import { type FormEvent, useEffect, useState } from "react";
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/move/calls.ts";
import { ConfirmAct } from "#office/screen/controls/confirm-act.tsx";
import { FormError, RowAction } from "#office/screen/controls/controls.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { Empty } from "#ui/empty.tsx";
import { LabelledControl } from "#ui/form/field.tsx";
import { Table } from "#ui/table.tsx";
import { RunReport } from "./run-report.tsx";
import { RunState } from "./run-state.tsx";

export async function loadMoves({ request }: LoaderFunctionArgs) {
  const id = new URL(request.url).searchParams.get("run");
  const [list, report] = await Promise.all([
    browserCall(calls.listMoves),
    id ? browserCall(calls.readMove, { IdRun: id }) : undefined,
  ]);
  return { list, report };
}

type Run = ResponseBody<typeof calls.listMoves>["Runs"][number];
const isActive = ({ State }: Run) => State === "queued" || State === "running";
const refreshMs = 2_000;

/** Another club moves here: packages, what was done with them, and the report of one run. */
export function Moves() {
  const { t } = useTexts();
  const { list, report } = useLoaderData<typeof loadMoves>();
  const { revalidate } = useRevalidator();
  const active = list.Runs.some(isActive);
  // It runs as a job: leaving the page does not stop it.
  useEffect(() => {
    const timer = active ? setInterval(() => void revalidate(), refreshMs) : undefined;
    return () => clearInterval(timer);
  }, [active, revalidate]);
  if (report) return <RunReport report={report} />;
  return (
    <>
      <PageHead title={t("office.menu.move")} note={t("office.move.note")} />
      <Packages packages={list.Packages} folder={list.Folder} runs={list.Runs} active={active} />
      <section aria-labelledby="runs">
        <h2 id="runs">{t("office.move.runs")}</h2>
        <Runs runs={list.Runs} />
      </section>
    </>
  );
}

function Packages(props: {
  packages: ResponseBody<typeof calls.listMoves>["Packages"];
  folder: string;
  runs: readonly Run[];
  active: boolean;
}) {
  const { t } = useTexts();
  const { moment } = useFormats();
  const { revalidate } = useRevalidator();
  const { act, busy, failure } = useAct(calls.startMove);
  const { open, setOpen, close, finish, status } = useDone<{ name: string; rejected: number }>();
  const start = async (name: string, step: "check" | "rehearse") => {
    await act({ Package: name, Step: step });
    await revalidate();
  };
  /** What was rejected at the rehearsal is accepted by who commits after reading it. */
  const rehearsalOf = (name: string) =>
    props.runs.find((run) => run.Package === name && run.Step === "rehearse" && run.State === "done");
  return (
    <section aria-labelledby="packages">
      <h2 id="packages">{t("office.move.packages")}</h2>
      <p className="note">{t("office.move.folder", { folder: props.folder })}</p>
      {status}
      <FormError failure={failure} />
      {props.packages.length === 0 ? (
        <Empty>{t("office.move.noPackages")}</Empty>
      ) : (
        <Table
          label={t("office.move.packages")}
          headings={[t("office.move.package"), t("office.audit.when")]}
          actions={t("office.actions")}
        >
          {props.packages.map(({ Name, At }) => {
            const rehearsal = rehearsalOf(Name);
            const disabled = busy || props.active;
            return (
              <tr key={Name}>
                <td className="wrap">{Name}</td>
                <td>{moment(At)}</td>
                <td className="buttons">
                  <span className="row">
                    {(["check", "rehearse"] as const).map((step) => (
                      <RowAction
                        key={step}
                        label={t(`office.move.do.${step}`)}
                        of={Name}
                        disabled={disabled}
                        onClick={() => start(Name, step)}
                      />
                    ))}
                    {rehearsal?.Equal && (
                      <RowAction
                        label={t("office.move.commit", { count: rehearsal.Rejected })}
                        of={Name}
                        bad
                        disabled={disabled}
                        onClick={() => setOpen({ name: Name, rejected: rehearsal.Rejected })}
                      />
                    )}
                  </span>
                </td>
              </tr>
            );
          })}
        </Table>
      )}
      <Upload />
      {open && (
        <ConfirmAct
          key={open.name}
          line={calls.startMove}
          input={{ Package: open.name, Step: "commit", AcceptRejected: String(open.rejected) }}
          title={t("office.move.confirm", { name: open.name })}
          text={t("office.move.confirmText")}
          action={t("office.move.commit", { count: open.rejected })}
          onDone={() => finish(t("office.move.started"))}
          onClose={close}
        />
      )}
    </section>
  );
}

/** A .tar.gz, part by part. */
function Upload() {
  const { t } = useTexts();
  const { percent } = useFormats();
  const { act, failure } = useAct(calls.uploadPackage);
  const { revalidate } = useRevalidator();
  const [sent, setSent] = useState<{ done: number; of: number }>();
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const file = new FormData(form).get("file");
    if (!(file instanceof File) || file.size === 0) return;
    for (let offset = 0; offset < file.size; offset += calls.uploadPartBytes) {
      setSent({ done: offset, of: file.size });
      const part = file.slice(offset, offset + calls.uploadPartBytes);
      const last = offset + part.size >= file.size;
      const answer = await act({
        ...{ Package: file.name, Offset: String(offset), Part: await base64Of(part), Last: String(last) },
      });
      if (!answer) break;
    }
    setSent(undefined);
    form.reset();
    await revalidate();
  };
  return (
    <form className="office-search" onSubmit={send}>
      <LabelledControl name="file" label={t("office.move.upload")}>
        {(control) => <input {...control} type="file" accept=".gz" required className="field" />}
      </LabelledControl>
      <button type="submit" className="button" disabled={sent !== undefined}>
        {t("office.move.send")}
      </button>
      <p role="status" className="note">
        {sent && t("office.move.sent", { percent: percent(sent.done / sent.of) })}
      </p>
      <FormError failure={failure} />
    </form>
  );
}

const base64Of = (part: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(part);
  });

function Runs({ runs }: { runs: readonly Run[] }) {
  const { t, number } = useTexts();
  const { moment } = useFormats();
  if (runs.length === 0) return <Empty>{t("office.move.noRuns")}</Empty>;
  return (
    <Table
      label={t("office.move.runs")}
      stacked
      headings={[
        t("office.audit.when"),
        t("office.move.step"),
        t("office.move.package"),
        t("office.team.state"),
        { number: t("office.move.rejected") },
      ]}
    >
      {runs.map((run) => (
        <tr key={run.IdRun}>
          <td>
            <Link to={`?run=${run.IdRun}`}>{moment(run.StartedAt)}</Link>
            {run.StartedBy && <span className="note"> {run.StartedBy}</span>}
          </td>
          <td>{t(`office.move.do.${run.Step}`)}</td>
          <td className="wrap">{run.Package ?? run.Source}</td>
          <td>
            <RunState run={run} />
          </td>
          <td className="number">{number(run.Rejected)}</td>
        </tr>
      ))}
    </Table>
  );
}
