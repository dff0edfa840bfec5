import { useTexts } from "#i18n/use-texts.tsx";
import { ConfirmAct } from "#office/screen/controls/confirm-act.tsx";
import { Label, RowAction } from "#office/screen/controls/controls.tsx";
import { List } from "#office/screen/controls/list.tsx";
import { useAct } from "#office/screen/controls/use-act.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useSession } from "#office/screen/session.tsx";
import { renewPin } from "#office/shops/calls.ts";
import { endPerson, unlockPerson } from "#office/team/calls.ts";
import { FormMessage } from "#ui/form/form.tsx";
import { AddPersonPanel, CardPanel, nameOf, type Seller } from "./person-panels.tsx";

type Open = { form: "add" } | { form: "pin" | "card" | "end"; person: Seller };

/** Who may sign in at the shop's tills. */
export function People({ shopId, people }: { shopId: number; people: readonly Seller[] }) {
  const { t } = useTexts();
  const { open, setOpen, close, finish, status } = useDone<Open>();
  return (
    <section aria-labelledby="people">
      <div className="office-section">
        <h2 id="people">{t("office.people.title")}</h2>
        <button type="button" className="button small" onClick={() => setOpen({ form: "add" })}>
          {t("office.people.add")}
        </button>
      </div>
      {status}
      <List
        label={t("office.people.title")}
        rows={people}
        columns={[
          { heading: t("office.team.name"), value: nameOf },
          { heading: t("office.people.pin"), value: ({ HasPin }) => (HasPin ? 1 : 0) },
          { heading: t("office.people.card"), value: ({ HasOwnCard }) => (HasOwnCard ? 1 : 0) },
        ]}
        actions={t("office.actions")}
        empty={t("office.people.none")}
        row={(person) => <PersonRow key={person.IdStaff} person={person} onOpen={setOpen} onDone={finish} />}
      />
      {open?.form === "add" && (
        <AddPersonPanel
          shopId={shopId}
          onDone={(name) => finish(t("office.people.pinSent", { name }))}
          onClose={close}
        />
      )}
      {open?.form === "pin" && (
        <ConfirmAct
          line={renewPin}
          input={{ IdStaff: String(open.person.IdStaff) }}
          title={t("office.people.pinTitle", { name: nameOf(open.person) })}
          text={t("office.people.pinText")}
          action={t("office.people.pinAction")}
          onDone={() => finish(t("office.people.pinSent", { name: nameOf(open.person) }))}
          onClose={close}
        />
      )}
      {open?.form === "end" && (
        <ConfirmAct
          line={endPerson}
          input={{ IdStaff: String(open.person.IdStaff) }}
          title={t("office.team.endTitle", { name: nameOf(open.person) })}
          text={t("office.team.endText")}
          action={t("office.team.endAction")}
          onDone={() => finish(t("office.team.endDone", { name: nameOf(open.person) }))}
          onClose={close}
        />
      )}
      {open?.form === "card" && <CardPanel person={open.person} onDone={finish} onClose={close} />}
    </section>
  );
}

function PersonRow({
  person,
  onOpen,
  onDone,
}: {
  person: Seller;
  onOpen: (open: Open) => void;
  onDone: (words: string) => void;
}) {
  const { t } = useTexts();
  const { Role, IdStaff } = useSession();
  const { act: unlock, busy, failure } = useAct(unlockPerson);
  const name = nameOf(person);
  // The role shop gives PINs to its own people alone, and unlocks them alone.
  const mayChange = Role === "owner" || person.IsOfShop;
  const release = async () => {
    if (await unlock({ IdStaff: String(person.IdStaff) })) onDone(t("office.team.unlocked", { name }));
  };
  const pin = () => {
    if (person.Locked) return <Label tone="bad">{t("office.people.locked")}</Label>;
    return person.HasPin ? t("office.people.hasPin") : <span className="note">{t("office.people.noPin")}</span>;
  };
  return (
    <tr>
      <td>
        {name}
        <br />
        <span className="note">{person.IsOfShop ? t("office.people.here") : t(`office.role.${person.Role}`)}</span>
        <FormMessage failure={failure} />
      </td>
      <td>{pin()}</td>
      <td>
        {person.HasOwnCard ? t("office.people.cardKnown") : <span className="note">{t("office.people.noCard")}</span>}
      </td>
      <td className="buttons">
        <span className="row">
          {person.Locked && mayChange && (
            <RowAction label={t("office.team.unlock")} of={name} disabled={busy} onClick={release} />
          )}
          {mayChange && (
            <>
              <RowAction label={t("office.people.newPin")} of={name} onClick={() => onOpen({ form: "pin", person })} />
              <RowAction
                label={t("office.people.ownCard")}
                of={name}
                onClick={() => onOpen({ form: "card", person })}
              />
              {person.IsOfShop && person.IdStaff !== IdStaff && (
                <RowAction label={t("office.team.end")} of={name} bad onClick={() => onOpen({ form: "end", person })} />
              )}
            </>
          )}
        </span>
      </td>
    </tr>
  );
}
