import { useTexts } from "#i18n/use-texts.tsx";
import type { listMoves } from "#office/move/calls.ts";
import { Label } from "#office/screen/controls/controls.tsx";
import type { ResponseBody } from "#platform/api/api.ts";

type Run = ResponseBody<typeof listMoves>["Runs"][number];

/** How far it is, or what came of it. */
export function RunState({ run }: { run: Run }) {
  const { t, number } = useTexts();
  const { Progress, State, Equal, Failure } = run;
  if (State === "failed")
    return (
      <>
        <Label tone="bad">{t("office.move.state.failed")}</Label> <span className="note">{Failure}</span>
      </>
    );
  if (State === "done" && Equal !== null)
    return <Label tone={Equal ? "good" : "bad"}>{t(Equal ? "office.move.equal" : "office.move.differs")}</Label>;
  return (
    <>
      <Label tone={State === "done" ? "good" : "gold"}>{t(`office.move.state.${State}`)}</Label>{" "}
      {Progress && (
        <span className="note">
          {Progress.What} {Progress.Of > 1 && `${number(Progress.Done)} / ${number(Progress.Of)}`}
        </span>
      )}
    </>
  );
}
