import { Link, type LoaderFunctionArgs, useLoaderData, useNavigate, useSearchParams } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { Field, Select } from "#office/screen/controls.tsx";
import { Empty, PageHead } from "#office/screen/page.tsx";
import { Pager } from "#office/screen/pager.tsx";
import { useFormats } from "#office/screen/use-formats.ts";
import * as calls from "#office/team/calls.ts";
import type { Input, ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client.ts";
import { EntryDetails } from "./entry-details.tsx";
import type { Person } from "./team.tsx";

/** The filters of the address, and the field of the call that each is. */
const filters = { staff: "IdStaff", customer: "IdCustomer", action: "Action", day: "Day", cursor: "Cursor" } as const;

export async function loadAudit({ request }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams;
  const asked = Object.entries(filters).flatMap(([name, field]) => {
    const value = params.get(name);
    return value ? [[field, value]] : [];
  });
  const [log, { Staff }] = await Promise.all([
    browserCall(calls.readAudit, Object.fromEntries(asked) as Input<typeof calls.readAudit>),
    browserCall(calls.listStaff),
  ]);
  return { ...log, Staff };
}

type Entry = ResponseBody<typeof calls.readAudit>["Entries"][number];

/** Who did what, to whom, when and why. */
export function AuditLog() {
  const { t, locale } = useTexts();
  const { Entries, NextCursor, Actions, Staff } = useLoaderData<typeof loadAudit>();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const search = (form: FormData) => {
    const chosen = [...form].flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
    void navigate(`?${new URLSearchParams(chosen)}`);
  };
  const everybody = t("office.audit.everybody");
  const actions = Actions.toSorted((a, b) => t(`office.action.${a}`).localeCompare(t(`office.action.${b}`), locale));
  return (
    <>
      <PageHead title={t("office.menu.audit")} note={t("office.audit.note")} />
      <form
        className="office-search"
        key={params.toString()}
        onSubmit={(event) => {
          event.preventDefault();
          search(new FormData(event.currentTarget));
        }}
      >
        <Select
          name="staff"
          label={t("office.audit.who")}
          defaultValue={params.get("staff") ?? ""}
          options={[
            ["", everybody],
            ...Staff.map(({ IdStaff, Firstname, Lastname }) => [String(IdStaff), `${Firstname} ${Lastname}`] as const),
          ]}
        />
        <Select
          name="action"
          label={t("office.audit.what")}
          defaultValue={params.get("action") ?? ""}
          options={[
            ["", t("office.audit.everything")],
            ...actions.map((name) => [name, t(`office.action.${name}`)] as const),
          ]}
        />
        <Field name="day" type="date" label={t("office.audit.day")} defaultValue={params.get("day") ?? ""} />
        <Field
          name="customer"
          inputMode="numeric"
          label={t("office.audit.customer")}
          defaultValue={params.get("customer") ?? ""}
        />
        <button type="submit" className="office-button">
          {t("office.show")}
        </button>
        {params.size > 0 && (
          <Link className="office-link" to="?">
            {t("office.all")}
          </Link>
        )}
      </form>
      {Entries.length === 0 ? (
        <Empty>{t("office.audit.none")}</Empty>
      ) : (
        <div className="office-scroll">
          <table className="office-table log">
            <thead>
              <tr>
                <th scope="col">{t("office.audit.when")}</th>
                <th scope="col">{t("office.audit.who")}</th>
                <th scope="col">{t("office.audit.what")}</th>
                <th scope="col">{t("office.audit.details")}</th>
              </tr>
            </thead>
            <tbody>
              {Entries.map((entry) => (
                <EntryRow key={entry.IdEntry} entry={entry} staff={Staff} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager next={NextCursor} />
    </>
  );
}

function EntryRow({ entry, staff }: { entry: Entry; staff: readonly Person[] }) {
  const { t } = useTexts();
  const { day, time } = useFormats();
  const who = entry.StaffName ?? t(`office.madeBy.${entry.MadeBy}`);
  const where = [entry.ShopName, entry.Till].filter(Boolean).join(", ");
  return (
    <tr>
      <td>
        <time dateTime={entry.At}>
          {day(entry.At)}
          <br />
          <span className="note">{time(entry.At)}</span>
        </time>
      </td>
      <td>
        {who}
        {where && (
          <>
            <br />
            <span className="note">{where}</span>
          </>
        )}
      </td>
      <td>
        <Link to={`?action=${entry.Action}`}>{t(`office.action.${entry.Action}`)}</Link>
        {entry.IdCustomer !== null && (
          <>
            <br />
            <Link to={`/customer?id=${entry.IdCustomer}`}>
              {t("office.audit.ofCustomer", { id: entry.IdCustomer })}
            </Link>
          </>
        )}
      </td>
      <td>
        <EntryDetails reason={entry.Reason} before={entry.Before} after={entry.After} staff={staff} />
      </td>
    </tr>
  );
}
