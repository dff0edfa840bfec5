import { Link, type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { findCustomers } from "#office/customers/calls.ts";
import { findReceipts } from "#office/receipts/calls.ts";
import { Label } from "#office/screen/controls/controls.tsx";
import { CsvDownload } from "#office/screen/controls/csv-download.tsx";
import { type Column, List } from "#office/screen/controls/list.tsx";
import { Pager } from "#office/screen/controls/pager.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";

export async function loadCustomers({ request }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams;
  const [search, cursor] = [params.get("search"), params.get("cursor")];
  const [found, receipts] = await Promise.all([
    browserCall(findCustomers, {
      ...(search && { Search: search }),
      ...(cursor && { Cursor: cursor }),
      ...(params.has("wide") && { Wide: true }),
    }),
    search && !cursor ? browserCall(findReceipts, { Search: search }) : undefined,
  ]);
  return { ...found, Receipts: receipts?.Receipts ?? [] };
}

type Customer = ResponseBody<typeof findCustomers>["Customers"][number];

/** The customers that a search finds, or all of them. */
export function Customers() {
  const { t, money, number } = useTexts();
  const { dayOfYear } = useFormats();
  const stateOf = useStateWords();
  const { Customers, Receipts, NextCursor } = useLoaderData<typeof loadCustomers>();
  const [params] = useSearchParams();
  const search = params.get("search") ?? "";
  const wide = params.has("wide");
  const query = new URLSearchParams({ ...(search && { Search: search }), ...(wide && { Wide: "true" }) });
  const columns: Column<Customer>[] = [
    { heading: t("office.customers.name"), value: ({ Lastname, Firstname }) => `${Lastname} ${Firstname}` },
    {
      heading: t("office.customers.contact"),
      value: ({ Email, MobilePhone }) => [Email, MobilePhone].filter(Boolean).join(" "),
    },
    { heading: t("office.customers.card"), value: ({ CardNumber }) => CardNumber },
    { heading: t("office.customers.status"), value: stateOf },
    {
      ...{ heading: t("office.customers.points"), number: true, value: ({ Points }) => Points },
      total: (rows) => number(rows.reduce((sum, { Points }) => sum + (Points ?? 0), 0)),
    },
    {
      heading: t("office.customers.since"),
      number: true,
      value: ({ CreatedAt }) => dayOfYear(CreatedAt),
      by: ({ CreatedAt }) => CreatedAt,
    },
  ];
  return (
    <>
      <PageHead
        title={t("office.menu.customers")}
        note={search ? t("office.customers.found", { search }) : t("office.customers.note")}
      >
        <CsvDownload path={`/api/office/customers/csv?${query}`} fileName="customers.csv" />
      </PageHead>
      {Receipts.length > 0 && (
        <ul className="office-receipts" aria-label={t("office.day.receipts")}>
          {Receipts.map(({ IdShop, ShopName, ReceiptNumber, SoldAt, Amount }) => (
            <li key={`${IdShop}:${ReceiptNumber}`}>
              <Link to={`/receipt?${new URLSearchParams({ shop: String(IdShop), number: ReceiptNumber })}`}>
                {t("office.receipt.title", { number: ReceiptNumber })}
              </Link>{" "}
              <span className="note">
                {ShopName}, {dayOfYear(SoldAt)}, {money(Amount)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <List
        label={t("office.menu.customers")}
        rows={Customers}
        columns={columns}
        empty={t("office.customers.none")}
        paged={NextCursor !== null || params.has("cursor")}
        divided={{ heading: t("office.customers.similar"), is: ({ Similar }) => Similar }}
        row={(customer) => <CustomerRow key={customer.IdCustomer} customer={customer} />}
      />
      {search && !wide && Customers[0]?.Similar === false && !NextCursor && !params.has("cursor") && (
        <p>
          <Link to={`?${new URLSearchParams({ search, wide: "1" })}`}>{t("office.customers.widen")}</Link>
        </p>
      )}
      <Pager next={NextCursor} />
    </>
  );
}

/** Status or state, in words. */
function useStateWords() {
  const { t } = useTexts();
  return ({ State, Tier }: Customer) =>
    State === "member" ? Tier : t(State === "left" ? "office.customers.left" : "office.customers.outside");
}

function CustomerRow({ customer }: { customer: Customer }) {
  const { t, number } = useTexts();
  const { dayOfYear } = useFormats();
  const stateOf = useStateWords();
  const { IdCustomer, Firstname, Lastname, Email, MobilePhone, CardNumber, Points } = customer;
  return (
    <tr>
      <td>
        <Link to={`/customer?id=${IdCustomer}`}>
          {Lastname} {Firstname}
        </Link>{" "}
        {customer.Blocked && <Label tone="bad">{t("office.customers.blocked")}</Label>}
      </td>
      <td>
        {Email}
        {MobilePhone && <span className="note nowrap"> {MobilePhone}</span>}
      </td>
      <td>{CardNumber}</td>
      <td>{stateOf(customer)}</td>
      <td className="number">{Points === null ? "" : number(Points)}</td>
      <td className="number">{dayOfYear(customer.CreatedAt)}</td>
    </tr>
  );
}
