import { useState } from "react";
import { useLoaderData, useRevalidator } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { Confirm } from "#office/screen/confirm.tsx";
import { Label } from "#office/screen/controls.tsx";
import { PageHead } from "#office/screen/page.tsx";
import { useSession } from "#office/screen/session.tsx";
import { useAct } from "#office/screen/use-act.tsx";
import { useFormats } from "#office/screen/use-formats.ts";
import { listShops } from "#office/shops/calls.ts";
import * as calls from "#office/team/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client.ts";
import { InvitePanel } from "./invite-panel.tsx";
import { RolePanel } from "./role-panel.tsx";

export async function loadTeam() {
  const [{ Staff }, { Shops }] = await Promise.all([browserCall(calls.listStaff), browserCall(listShops)]);
  return { Staff, Shops };
}

export type Person = ResponseBody<typeof calls.listStaff>["Staff"][number];
/** What stands beside the list: an invitation, new or of somebody known, or another role. */
type Open = { form: "invite"; person?: Person } | { form: "role" | "end"; person: Person };

/** Everybody who works here, and who has left. */
export function Team() {
  const { t } = useTexts();
  const { Staff } = useLoaderData<typeof loadTeam>();
  const [open, setOpen] = useState<Open>();
  const [done, setDone] = useState("");
  const { revalidate } = useRevalidator();
  const finish = (words: string) => {
    setOpen(undefined);
    setDone(words);
    void revalidate();
  };
  const close = () => setOpen(undefined);
  return (
    <>
      <PageHead title={t("office.menu.team")} note={t("office.team.note")}>
        <button type="button" className="office-button solid" onClick={() => setOpen({ form: "invite" })}>
          {t("office.team.invite")}
        </button>
      </PageHead>
      <p role="status" className={done && "office-done"}>
        {done}
      </p>
      <div className="office-scroll">
        <table className="office-table">
          <thead>
            <tr>
              <th scope="col">{t("office.team.name")}</th>
              <th scope="col">{t("office.team.role")}</th>
              <th scope="col">{t("office.team.ways")}</th>
              <th scope="col">{t("office.team.state")}</th>
              <th scope="col">
                <span className="sr-only">{t("office.actions")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {Staff.map((person) => (
              <PersonRow key={person.IdStaff} person={person} onOpen={setOpen} onDone={finish} />
            ))}
          </tbody>
        </table>
      </div>
      {open?.form === "invite" && <InvitePanel person={open.person} onDone={finish} onClose={close} />}
      {open?.form === "role" && <RolePanel person={open.person} onDone={finish} onClose={close} />}
      {open?.form === "end" && <EndPanel person={open.person} onDone={finish} onClose={close} />}
    </>
  );
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
  const { act: unlock, busy } = useAct(calls.unlockPerson);
  const ways = [
    person.Passkeys > 0 && t("office.team.passkeys", { count: person.Passkeys }),
    person.HasPin && t("office.team.pin"),
  ].filter(Boolean);
  const own = person.IdStaff === IdStaff;
  const name = nameOf(person);
  const state = () => {
    if (person.EndedAt) return <Label>{t("office.team.ended", { date: dayOfYear(person.EndedAt) })}</Label>;
    if (person.InvitedUntil) return <Label tone="gold">{t("office.team.invited")}</Label>;
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
      <td>{ways.join(", ") || <span className="note">{t("office.team.passwordOnly")}</span>}</td>
      <td>{state()}</td>
      <td className="buttons">
        {!own && (
          <span className="row">
            <button
              type="button"
              className="office-link"
              aria-label={`${t("office.team.again")}, ${name}`}
              onClick={() => onOpen({ form: "invite", person })}
            >
              {t("office.team.again")}
            </button>
            {!person.EndedAt && (
              <>
                <button
                  type="button"
                  className="office-link"
                  aria-label={`${t("office.team.role")}, ${name}`}
                  onClick={() => onOpen({ form: "role", person })}
                >
                  {t("office.team.role")}
                </button>
                {person.HasPin && (
                  <button
                    type="button"
                    className="office-link"
                    aria-label={`${t("office.team.unlock")}, ${name}`}
                    disabled={busy}
                    onClick={releaseTill}
                  >
                    {t("office.team.unlock")}
                  </button>
                )}
                <button
                  type="button"
                  className="office-link bad"
                  aria-label={`${t("office.team.end")}, ${name}`}
                  onClick={() => onOpen({ form: "end", person })}
                >
                  {t("office.team.end")}
                </button>
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
