import { useTexts } from "#i18n/use-texts.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { PanelForm } from "#office/screen/controls/panel-form.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { changeRole } from "#office/team/calls.ts";
import { RoleFields } from "./role-fields.tsx";
import type { Person } from "./team.data.ts";

export function RolePanel({
  person,
  onDone,
  onClose,
}: {
  person: Person;
  onDone: (words: string) => void;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(changeRole);
  const name = `${person.Firstname} ${person.Lastname}`;
  const change = async (form: FormData) => {
    form.set("IdStaff", String(person.IdStaff));
    if (await act(form)) onDone(t("office.team.roleDone", { name }));
  };
  return (
    <Panel title={t("office.team.roleTitle", { name })} note={t("office.team.roleText")} onClose={onClose}>
      <PanelForm action={t("office.team.roleAction")} busy={busy} failure={failure} onSubmit={change} onClose={onClose}>
        <RoleFields role={person.Role} shopId={person.IdShop} />
      </PanelForm>
    </Panel>
  );
}
