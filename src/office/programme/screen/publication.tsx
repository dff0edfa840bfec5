import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/programme/calls.ts";
import type { ProgrammePage } from "#office/programme/screen/draft/editing.ts";
import { fromClubTime, toClubTime } from "#office/screen/controls/club-time.ts";
import { ConfirmAct } from "#office/screen/controls/confirm-act.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import type { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { Field } from "#ui/form/field.tsx";

/** What stands beside the page: a form, or the number of a version to withdraw. */
export type Open = "ask" | "publish" | "back" | "discard" | number;
type Draft = NonNullable<ProgrammePage["Draft"]>;

/** Draft, approval, in force: where it stands. */
export function Steps({ draft }: { draft: Draft }) {
  const { t } = useTexts();
  const { moment } = useFormats();
  const asked = draft.State === "asked";
  return (
    <ol className="programme-steps">
      <li className={asked ? "past" : "here"} aria-current={asked ? undefined : "step"}>
        <strong>{t("office.programme.step.draft")}</strong>
        <span className="note">
          {t("office.programme.saved", {
            person: draft.SavedBy ?? t("office.programme.file"),
            at: moment(draft.SavedAt),
          })}
        </span>
      </li>
      <li className={asked ? "here" : undefined} aria-current={asked ? "step" : undefined}>
        <strong>{t("office.programme.step.approval")}</strong>
        <span className="note">
          {asked && draft.AskedBy
            ? t("office.programme.askedBy", { person: draft.AskedBy })
            : t("office.programme.secondPerson")}
        </span>
      </li>
      <li>
        <strong>{t("office.programme.step.inForce")}</strong>
        <span className="note">
          {draft.StartsAt && asked
            ? t("office.programme.from", { at: moment(draft.StartsAt) })
            : t("office.programme.startLater")}
        </span>
      </li>
    </ol>
  );
}

/** The forms of the way to publication. */
export function PublicationPanels({
  page: { Draft },
  panel: { open, close, finish },
}: {
  page: ProgrammePage;
  panel: ReturnType<typeof useDone<Open>>;
}) {
  const { t } = useTexts();
  const { moment } = useFormats();
  if (open === undefined) return null;
  if (typeof open === "number")
    return (
      <ConfirmAct
        line={calls.withdraw}
        input={{ Version: String(open) }}
        title={t("office.programme.withdrawTitle")}
        text={t("office.programme.withdrawText", { version: open })}
        action={t("office.programme.withdraw")}
        onDone={() => finish(t("office.programme.withdrawn", { version: open }))}
        onClose={close}
      />
    );
  if (!Draft) return null;
  if (open === "ask") return <AskPanel draft={Draft} onDone={finish} onClose={close} />;
  const input = { Revision: String(Draft.Revision) };
  if (open === "publish")
    return (
      <ConfirmAct
        line={calls.publish}
        input={{ ...input, StartsAt: Draft.StartsAt ?? "" }}
        title={t("office.programme.publishTitle")}
        text={[
          t("office.programme.publishText", { label: Draft.Label, at: moment(Draft.StartsAt ?? Draft.SavedAt) }),
          ...(Draft.Warnings.length > 0 ? [t("office.programme.wrongNumbers", { count: Draft.Warnings.length })] : []),
        ].join(" ")}
        action={t("office.programme.publish")}
        onDone={({ Version }) => finish(t("office.programme.published", { version: Version }))}
        onClose={close}
      />
    );
  return (
    <ConfirmAct
      line={open === "back" ? calls.sendBack : calls.discardDraft}
      input={input}
      title={t(open === "back" ? "office.programme.back" : "office.programme.discardTitle")}
      text={t(open === "back" ? "office.programme.backText" : "office.programme.discardText")}
      action={t(open === "back" ? "office.programme.back" : "office.programme.discard")}
      onDone={() => finish(t(open === "back" ? "office.programme.sentBack" : "office.programme.discarded"))}
      onClose={close}
    />
  );
}

/** From when on. The first of the next month is offered. */
function AskPanel({ draft, onDone, onClose }: { draft: Draft; onDone: (words: string) => void; onClose: () => void }) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.askToPublish);
  const submit = async (form: FormData) => {
    const StartsAt = fromClubTime(String(form.get("StartsAt")))?.toISOString() ?? "";
    if (await act({ Revision: String(draft.Revision), StartsAt })) onDone(t("office.programme.askDone"));
  };
  return (
    <Panel title={t("office.programme.ask")} note={t("office.programme.askNote")} onClose={onClose}>
      <PanelForm action={t("office.programme.ask")} busy={busy} failure={failure} onSubmit={submit} onClose={onClose}>
        <Field
          name="StartsAt"
          type="datetime-local"
          label={t("office.programme.start")}
          hint={t("office.programme.startHint")}
          initial={draft.StartsAt ? toClubTime(new Date(draft.StartsAt)) : nextMonth(new Date())}
        />
      </PanelForm>
    </Panel>
  );
}

function nextMonth(now: Date): string {
  const [year = 0, month = 0] = toClubTime(now).split("-").map(Number);
  const next = new Date(Date.UTC(year, month, 1));
  return `${next.toISOString().slice(0, 7)}-01T00:00`;
}
