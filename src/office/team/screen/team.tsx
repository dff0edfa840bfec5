import { useLoaderData } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { Confirm } from "#office/screen/controls/confirm.tsx";
import { Label, RowAction } from "#office/screen/controls/controls.tsx";
import { List } from "#office/screen/controls/list.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import { useSession } from "#office/screen/session.tsx";
import * as calls from "#office/team/calls.ts";
import { FormMessage } from "#ui/form/form.tsx";
import { InvitePanel } from "./invite-panel.tsx";
import { RolePanel } from "./role-panel.tsx";
import type { loadTeam, Person } from "./team.data.ts";

/** What stands beside the list: an invitation, new or of a known person, or another role. */
type Open = { form: "invite"; person?: Person } | { form: "role" | "end"; person: Person };

/** Everybody who works here, and who has left. */
export function Team() {
  const { t } = useTexts();
  const { Staff } = useLoaderData<typeof loadTeam>();
  const { open, setOpen, close, finish, status } = useDone<Open>();
  const waysOf = useWays();
  const { dayOfYear } = useFormats();
  return (
    <>
      <PageHead title={t("office.menu.team")} note={t("office.team.note")}>
        <button type="button" className="button solid" onClick={() => setOpen({ form: "invite" })}>
          {t("office.team.invite")}
        </button>
      </PageHead>
      {status}
      <List
        label={t("office.menu.team")}
        rows={Staff}
        columns={[
          { heading: t("office.team.name"), value: (person) => `${nameOf(person)} ${person.Email}` },
          {
            heading: t("office.team.role"),
            value: ({ Role, ShopName }) => [t(`office.role.${Role}`), ShopName].filter(Boolean).join(", "),
          },
          { heading: t("office.team.ways"), value: (person) => waysOf(person).join(", ") },
          {
            heading: t("office.team.state"),
            value: ({ EndedAt }) => (EndedAt ? t("office.team.ended", { date: dayOfYear(EndedAt) }) : null),
          },
        ]}
        actions={t("office.actions")}
        empty={t("office.team.note")}
        csvName="team.csv"
        row={(person) => <PersonRow key={person.IdStaff} person={person} onOpen={setOpen} onDone={finish} />}
      />
      {open?.form === "invite" && <InvitePanel person={open.person} onDone={finish} onClose={close} />}
      {open?.form === "role" && <RolePanel person={open.person} onDone={finish} onClose={close} />}
      {open?.form === "end" && <EndPanel person={open.person} onDone={finish} onClose={close} />}
    </>
  );
}

/** What the person signs in with. */
function useWays() {
  const { t } = useTexts();
  return (person: Person) =>
    [
      person.HasPassword && t("office.team.password"),
      person.Passkeys > 0 && t("office.team.passkeys", { count: person.Passkeys }),
      person.HasPin && t("office.team.pin"),
    ].filter(Boolean);
}

const nameOf = ({ Firstname, Lastname }: Person) => `${Firstname} ${Lastname}`;

function PersonRow({
  person,
  onOpen,
  onDone,
}: {
  person: Person;
  onOpen: (open: Open) => void;
  onDone: (words: string) => void;
}) {
  const { t } = useTexts();
  const { dayOfYear } = useFormats();
  const { IdStaff } = useSession();
  const { act: unlock, busy, failure } = useAct(calls.unlockPerson);
  const ways = useWays()(person);
  const own = person.IdStaff === IdStaff;
  const name = nameOf(person);
  const state = () => {
    if (person.EndedAt) return <Label>{t("office.team.ended", { date: dayOfYear(person.EndedAt) })}</Label>;
    if (person.Locked) return <Label tone="bad">{t("office.people.locked")}</Label>;
    if (person.InvitedUntil) return <Label tone="gold">{t("office.team.invited")}</Label>;
    // Who was invited and never came in has no way in at all.
    if (ways.length === 0) return <Label tone="bad">{t("office.team.lapsed")}</Label>;
    if (person.SeenAt) return <Label tone="good">{t("office.team.here")}</Label>;
    return null;
  };
  const releaseTill = async () => {
    if (await unlock({ IdStaff: String(person.IdStaff) })) onDone(t("office.team.unlocked", { name }));
  };
  return (
    <tr className={person.EndedAt ? "past" : undefined}>
      <td>
        {name}
        <br />
        <span className="note">{person.Email}</span>
        <FormMessage failure={failure} />
      </td>
      <td>
        {t(`office.role.${person.Role}`)}
        {person.ShopName && (
          <>
            <br />
            <span className="note">{person.ShopName}</span>
          </>
        )}
      </td>
      <td>{ways.join(", ") || <span className="note">{t("office.team.noWay")}</span>}</td>
      <td>{state()}</td>
      <td className="buttons">
        {!own && (
          <span className="row">
            <RowAction label={t("office.team.again")} of={name} onClick={() => onOpen({ form: "invite", person })} />
            {!person.EndedAt && (
              <>
                <RowAction label={t("office.team.role")} of={name} onClick={() => onOpen({ form: "role", person })} />
                {person.Locked && (
                  <RowAction label={t("office.team.unlock")} of={name} disabled={busy} onClick={releaseTill} />
                )}
                <RowAction label={t("office.team.end")} of={name} bad onClick={() => onOpen({ form: "end", person })} />
              </>
            )}
          </span>
        )}
      </td>
    </tr>
  );
}

function EndPanel({
  person,
  onDone,
  onClose,
}: {
  person: Person;
  onDone: (words: string) => void;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(calls.endPerson);
  const name = nameOf(person);
  const end = async () => {
    if (await act({ IdStaff: String(person.IdStaff) })) onDone(t("office.team.endDone", { name }));
  };
  return (
    <Confirm
      title={t("office.team.endTitle", { name })}
      text={t("office.team.endText")}
      action={t("office.team.endAction")}
      busy={busy}
      failure={failure}
      onConfirm={end}
      onClose={onClose}
    />
  );
}
