import { useTexts } from "#i18n/use-texts.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { invitePerson } from "#office/team/calls.ts";
import { Field } from "#ui/form/field.tsx";
import { RoleFields } from "./role-fields.tsx";
import type { Person } from "./team.data.ts";

/** Invites a person, or gives a person who has lost password and codes a new start. */
export function InvitePanel({
  person,
  onDone,
  onClose,
}: {
  person: Person | undefined;
  onDone: (words: string) => void;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(invitePerson);
  const invite = async (form: FormData) => {
    const email = String(form.get("Email"));
    if (await act(form)) onDone(t("office.team.inviteDone", { email }));
  };
  return (
    <Panel
      title={t(person ? "office.team.againTitle" : "office.team.inviteTitle")}
      note={t(person ? "office.team.againText" : "office.team.inviteText")}
      onClose={onClose}
    >
      <PanelForm
        action={t("office.team.inviteAction")}
        busy={busy}
        failure={failure}
        onSubmit={invite}
        onClose={onClose}
      >
        {person && <input type="hidden" name="IdStaff" value={person.IdStaff} />}
        <Field
          name="Email"
          type="email"
          label={t("office.email")}
          initial={person?.Email}
          readOnly={person !== undefined}
          autoComplete="off"
        />
        <Field name="Firstname" label={t("office.firstname")} initial={person?.Firstname} autoComplete="off" />
        <Field name="Lastname" label={t("office.lastname")} initial={person?.Lastname} autoComplete="off" />
        <RoleFields role={person?.Role ?? "service"} shopId={person?.IdShop ?? null} />
      </PanelForm>
    </Panel>
  );
}
