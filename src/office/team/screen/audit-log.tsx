import { Link, type LoaderFunctionArgs, useLoaderData, useNavigate, useSearchParams } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { CsvDownload } from "#office/screen/controls/csv-download.tsx";
import { List } from "#office/screen/controls/list.tsx";
import { Pager } from "#office/screen/controls/pager.tsx";
import { useFilters } from "#office/screen/controls/use-filters.ts";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { refusedFields } from "#office/screen/failure.ts";
import { PageHead } from "#office/screen/page.tsx";
import { listShops } from "#office/shops/calls.ts";
import * as calls from "#office/team/calls.ts";
import type { Input, ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { Field } from "#ui/form/field.tsx";
import { Select } from "#ui/form/select.tsx";
import { EntryDetails, type Known } from "./entry-details.tsx";

/** The filters of the address, and the field of the call that each is. */
const filters = { staff: "IdStaff", customer: "Customer", action: "Action", day: "Day", cursor: "Cursor" } as const;
const formFields = [filters.staff, filters.customer, filters.action, filters.day];

/** What the address asks for, as the call's fields. */
const askedOf = (params: URLSearchParams): [string, string][] =>
  Object.entries(filters).flatMap(([name, field]) => {
    const value = params.get(name);
    return value ? [[field, value]] : [];
  });

export async function loadAudit({ request }: LoaderFunctionArgs) {
  const asked = askedOf(new URL(request.url).searchParams);
  const [log, { Staff }, { Shops }] = await Promise.all([
    readLog(Object.fromEntries(asked) as Input<typeof calls.readAudit>),
    browserCall(calls.listStaff),
    browserCall(listShops),
  ]);
  return { ...log, Staff, Shops };
}

async function readLog(input: Input<typeof calls.readAudit>) {
  try {
    return { ...(await browserCall(calls.readAudit, input)), refused: undefined };
  } catch (error) {
    const refused = refusedFields(error, formFields);
    // The form is shown again, with every action.
    return { ...(await browserCall(calls.readAudit)), refused };
  }
}

type Entry = ResponseBody<typeof calls.readAudit>["Entries"][number];

/** Who did what, to whom, when and why. */
export function AuditLog() {
  const { t } = useTexts();
  const { Entries, NextCursor, Staff, Shops, refused } = useLoaderData<typeof loadAudit>();
  const [params] = useSearchParams();
  const csv = new URLSearchParams(askedOf(params).filter(([field]) => field !== filters.cursor));
  return (
    <>
      <PageHead title={t("office.menu.audit")} note={t("office.audit.note")}>
        {!refused && <CsvDownload path={`/api/office/audit/csv?${csv}`} fileName="audit.csv" />}
      </PageHead>
      <Filters />
      {!refused && (
        <Log
          entries={Entries}
          known={{ staff: Staff, shops: Shops }}
          paged={NextCursor !== null || params.has("cursor")}
        />
      )}
      {!refused && <Pager next={NextCursor} />}
    </>
  );
}

function Filters() {
  const { t, locale } = useTexts();
  const { Actions, Staff, refused } = useLoaderData<typeof loadAudit>();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const ref = useFilters(params.toString());
  const search = (form: FormData) => {
    const chosen = [...form].flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
    void navigate(`?${new URLSearchParams(chosen)}`);
  };
  const given = (name: keyof typeof filters) => ({
    name,
    initial: params.get(name) ?? "",
    error: refused?.[filters[name]],
  });
  const actions = Actions.toSorted((a, b) => t(`office.action.${a}`).localeCompare(t(`office.action.${b}`), locale));
  return (
    <form
      ref={ref}
      className="office-search"
      onSubmit={(event) => {
        event.preventDefault();
        search(new FormData(event.currentTarget));
      }}
    >
      <Select
        {...given("staff")}
        label={t("office.audit.who")}
        options={[
          ["", t("office.audit.everybody")],
          ...Staff.map(({ IdStaff, Firstname, Lastname }) => [String(IdStaff), `${Firstname} ${Lastname}`] as const),
        ]}
      />
      <Select
        {...given("action")}
        label={t("office.audit.what")}
        options={[
          ["", t("office.audit.everything")],
          ...actions.map((name) => [name, t(`office.action.${name}`)] as const),
        ]}
      />
      <Field {...given("day")} type="date" label={t("office.audit.day")} />
      <Field {...given("customer")} label={t("office.audit.customer")} />
      <button type="submit" className="button">
        {t("office.show")}
      </button>
      {params.size > 0 && (
        <Link className="office-link" to="?">
          {t("office.all")}
        </Link>
      )}
    </form>
  );
}

function Log(props: { entries: readonly Entry[]; known: Known; paged: boolean }) {
  const { t } = useTexts();
  const { moment } = useFormats();
  const wordsOf = useEntryWords();
  return (
    <List
      label={t("office.menu.audit")}
      rows={props.entries}
      columns={[
        { heading: t("office.audit.when"), value: ({ At }) => moment(At), by: ({ At }) => At },
        { heading: t("office.audit.who"), value: (entry) => Object.values(wordsOf(entry)).join(" ") },
        { heading: t("office.audit.what"), value: ({ Action }) => t(`office.action.${Action}`) },
        {
          heading: t("office.audit.details"),
          value: ({ Reason, After }) => `${Reason ?? ""} ${JSON.stringify(After ?? "")}`,
        },
      ]}
      empty={t("office.audit.none")}
      paged={props.paged}
      row={(entry) => <EntryRow key={entry.IdEntry} entry={entry} known={props.known} />}
    />
  );
}

/** Who did it, and where. */
function useEntryWords() {
  const { t } = useTexts();
  return (entry: Entry) => ({
    who: entry.StaffName ?? t(`office.madeBy.${entry.MadeBy}`),
    where: [entry.ShopName, entry.TillName ?? entry.Till].filter(Boolean).join(", "),
  });
}

function EntryRow({ entry, known }: { entry: Entry; known: Known }) {
  const { t } = useTexts();
  const { day, time } = useFormats();
  const { who, where } = useEntryWords()(entry);
  return (
    <tr>
      <td className="line">
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
        <EntryDetails reason={entry.Reason} before={entry.Before} after={entry.After} known={known} />
      </td>
    </tr>
  );
}
