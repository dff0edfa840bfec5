import { useCallback, useEffect, useState } from "react";
import { Link } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/programme/calls.ts";
import { FormError } from "#office/screen/controls/controls.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { useSession } from "#office/screen/session.tsx";
import { browserCall } from "#platform/api/client/client.ts";
import { Table } from "#ui/table.tsx";
import { type Simulation, SimulationMetrics, type SimulationResult } from "./simulation-metrics.tsx";

/** The draft over the last twelve months: a button, how far it is, and what came of it. */
export function SimulationPart({ revision, dirty }: { revision: number; dirty: boolean }) {
  const { t, number } = useTexts();
  const start = useAct(calls.startSimulation);
  const cancel = useAct(calls.cancelSimulation);
  const [simulation, setSimulation] = useState<Simulation | null>();
  const read = useCallback(
    // Without an answer the last one stays; the next reading is a second away.
    () =>
      browserCall(calls.readSimulation).then(
        (answer) => setSimulation(answer.Simulation),
        () => undefined,
      ),
    [],
  );
  const running = simulation?.State === "running";
  const outdated = simulation && !running && simulation.Revision !== revision;
  useEffect(() => {
    void read();
    const timer = running ? setInterval(read, 1_000) : undefined;
    return () => clearInterval(timer);
  }, [read, running]);
  const begin = async () => {
    await start.act({ Revision: String(revision) });
    await read();
  };
  const stop = async () => {
    if (simulation) await cancel.act({ IdSimulation: String(simulation.IdSimulation) });
    await read();
  };
  return (
    <section className="programme-simulation" aria-labelledby="simulation-title">
      <div className="office-section">
        <h2 id="simulation-title">{t("office.simulation.title")}</h2>
        {running ? (
          <button type="button" className="button small" disabled={cancel.busy} onClick={stop}>
            {t("office.simulation.stop")}
          </button>
        ) : (
          <button type="button" className="button small" disabled={dirty || start.busy} onClick={begin}>
            {t("office.simulation.start")}
          </button>
        )}
      </div>
      <FormError failure={start.failure ?? cancel.failure} />
      <p className="note">{t("office.simulation.note")}</p>
      <p role="status" className="note">
        {running && t("office.simulation.running", { done: number(simulation.Done), total: number(simulation.Total) })}
        {!outdated && simulation?.State === "cancelled" && t("office.simulation.cancelled")}
        {!outdated && simulation?.State === "failed" && t("office.simulation.failed")}
        {outdated && t("office.simulation.outdated")}
      </p>
      {running && (
        <progress
          className="office-progress"
          aria-label={t("office.simulation.title")}
          value={simulation.Done}
          max={Math.max(simulation.Total, 1)}
        />
      )}
      {simulation?.State === "done" && simulation.Result && (
        <>
          <SimulationMetrics result={simulation.Result} />
          <Movers result={simulation.Result} />
        </>
      )}
    </section>
  );
}

/** The ten members who would gain, or lose, most. Marketing sees numbers, owners may open the record. */
function Movers({ result }: { result: SimulationResult }) {
  const { t, number } = useTexts();
  const { signed } = useFormats();
  const { Role } = useSession();
  const lists = [
    ["gain", result.gain],
    ["lose", result.lose],
  ] as const;
  return (
    <div className="programme-movers">
      {lists.map(
        ([which, members]) =>
          members.length > 0 && (
            <details key={which}>
              <summary>{t(`office.simulation.${which}`, { count: members.length })}</summary>
              <Table
                label={t(`office.simulation.${which}`, { count: members.length })}
                headings={[
                  t("office.simulation.member"),
                  ...[{ number: t("office.programme.today") }, { number: t("office.programme.thisDraft") }],
                  { number: t("office.simulation.difference") },
                ]}
              >
                {members.map(({ customerId, today, draft }) => (
                  <tr key={customerId}>
                    <td>
                      {Role === "owner" ? <Link to={`/customer?id=${customerId}`}>{customerId}</Link> : customerId}
                    </td>
                    <td className="number">{number(today)}</td>
                    <td className="number">{number(draft)}</td>
                    <td className="number">{signed(draft - today)}</td>
                  </tr>
                ))}
              </Table>
            </details>
          ),
      )}
    </div>
  );
}
