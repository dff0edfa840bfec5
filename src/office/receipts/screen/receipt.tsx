import { Fragment, type ReactNode } from "react";
import { Link, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { clubDay } from "#i18n/club-day.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import * as calls from "#office/receipts/calls.ts";
import { Label } from "#office/screen/controls/controls.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import { useSession } from "#office/screen/session.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { useExactMoney } from "#till/screen/use-exact-money.ts";
import { Table } from "#ui/table.tsx";
import { AttachPanel } from "./attach-panel.tsx";

export async function loadReceipt({ request }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams;
  return browserCall(calls.readReceipt, {
    IdShop: params.get("shop") ?? "",
    ReceiptNumber: params.get("number") ?? "",
  });
}

type Receipt = ResponseBody<typeof calls.readReceipt>;

/** One sale: its lines, its points as a sum, what a return would take, and who rang it up. */
export function ReceiptPage() {
  const { t } = useTexts();
  const receipt = useLoaderData<typeof loadReceipt>();
  const { moment, dayOfYear } = useFormats();
  const { Role } = useSession();
  const { open, setOpen, close, finish, status } = useDone<"attach">();
  const { IdShop, ShopName, SoldAt, TillName, Seller } = receipt;
  const mayAttach = receipt.Attachable && Role !== "shop";
  const day = new URLSearchParams({ id: String(IdShop), day: clubDay(new Date(SoldAt)) });
  return (
    <>
      {Role !== "service" && (
        <nav className="office-crumbs" aria-label={t("office.menu.shops")}>
          <Link to="/shops">{t("office.menu.shops")}</Link>
          <Link to={`/shop?id=${IdShop}`}>{ShopName}</Link>
          <Link to={`/shop?${day}`}>{dayOfYear(SoldAt)}</Link>
        </nav>
      )}
      <PageHead
        title={t("office.receipt.title", { number: receipt.ReceiptNumber })}
        note={[moment(SoldAt), ShopName, TillName, Seller].filter(Boolean).join(" · ")}
      >
        {mayAttach && (
          <button type="button" className="button solid" onClick={() => setOpen("attach")}>
            {t("office.receipt.attach")}
          </button>
        )}
      </PageHead>
      {status}
      {receipt.Voided && <p className="banner bad">{t("office.receipt.voided")}</p>}
      {receipt.Waiting && <p className="banner">{t("office.conflict.points_waiting")}</p>}
      <div className="office-receipt">
        <div>
          <Lines receipt={receipt} />
          <Points receipt={receipt} />
          <IfReturned receipt={receipt} />
        </div>
        <Aside receipt={receipt} />
      </div>
      {open && <AttachPanel receipt={receipt} onDone={finish} onClose={close} />}
    </>
  );
}

function Lines({ receipt: { Lines: lines, Total } }: { receipt: Receipt }) {
  const { t } = useTexts();
  const exactMoney = useExactMoney();
  return (
    <section aria-labelledby="lines">
      <div className="office-section">
        <h2 id="lines">{t("office.receipt.lines")}</h2>
        <p className="note">{t("office.receipt.linesNote")}</p>
      </div>
      <Table
        label={t("office.receipt.lines")}
        headings={[
          t("office.receipt.line"),
          { number: t("office.receipt.price") },
          { number: t("office.receipt.share") },
          { number: t("office.receipt.paid") },
          { number: t("office.receipt.back") },
          t("office.receipt.earns"),
        ]}
      >
        {lines.map(({ Line, Price, VoucherShare, Paid, Returned, Earns, PriceType, Codes }) => (
          <tr key={Line}>
            <td>
              {Line}{" "}
              <span className="note">
                {[PriceType && t(`office.priceType.${PriceType}`), ...Codes].filter(Boolean).join(", ")}
              </span>
            </td>
            <td className="number">{exactMoney(Price)}</td>
            <td className="number note">{Number(VoucherShare) > 0 && `−${exactMoney(VoucherShare)}`}</td>
            <td className="number">{exactMoney(Paid)}</td>
            <td className="number note">{Number(Returned) > 0 && `−${exactMoney(Returned)}`}</td>
            <td>{t(Earns ? "office.customer.yes" : "office.customer.no")}</td>
          </tr>
        ))}
        <tr className="total">
          <td>{t("office.receipt.total")}</td>
          <td className="number">{exactMoney(Total.Price)}</td>
          <td className="number">{Number(Total.VoucherShare) > 0 && `−${exactMoney(Total.VoucherShare)}`}</td>
          <td className="number">{exactMoney(Total.Paid)}</td>
          <td />
          <td />
        </tr>
      </Table>
    </section>
  );
}

/** The points as a sum to be read from top to bottom; one rounding, at the end. */
function Points({ receipt: { Points: points, Customer } }: { receipt: Receipt }) {
  const { t, number, date } = useTexts();
  const exactMoney = useExactMoney();
  const { signed } = useFormats();
  if (!points)
    return (
      <section>
        <h2>{t("office.receipt.points")}</h2>
        <p className="note">{t(Customer ? "office.receipt.noPoints" : "office.receipt.nobody")}</p>
      </section>
    );
  const { Paid, PointsPerEuro, Multiplier, TierName, Base, CampaignName, CampaignPoints, Total, Taken } = points;
  // What was claimed later does not name the status of its day.
  const rule = TierName
    ? t("office.receipt.rate", { points: PointsPerEuro, tier: TierName })
    : t("office.receipt.rateAlone", { points: PointsPerEuro });
  const rate = `${exactMoney(Paid)} × ${number(PointsPerEuro)} × ${number(Multiplier)}`;
  const dated = points.ArrivesAt
    ? t("office.event.arrives", { date: date(points.ArrivesAt) })
    : points.ExpiresAt && t("office.event.lapsesOn", { date: date(points.ExpiresAt) });
  const rows: [sign: string, what: string, how: string, value: string][] = [
    ["", t("office.receipt.counts"), "", exactMoney(Paid)],
    ["×", rule, rate, number(Base)],
  ];
  if (CampaignPoints > 0) rows.push(["+", CampaignName ?? t("office.menu.campaigns"), "", signed(CampaignPoints)]);
  if (Taken > 0) rows.push(["−", t("office.event.taken"), "", signed(-Taken)]);
  return (
    <section aria-labelledby="points">
      <h2 id="points">{t("office.receipt.pointsFrom", { points: Total })}</h2>
      <table className="data-table office-sum" aria-labelledby="points">
        <tbody>
          {rows.map(([sign, what, how, value]) => (
            <tr key={what}>
              <td className="sign">{sign}</td>
              <td>{what}</td>
              <td className="number note">{how}</td>
              <td className="number value">{value}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td className="sign">=</td>
            <td colSpan={2}>
              {t("office.receipt.sum", { points: Total - Taken })} {dated && <Label tone="gold">{dated}</Label>}
            </td>
            <td className="number value">{signed(Total - Taken)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function IfReturned({ receipt: { IfReturned: rows } }: { receipt: Receipt }) {
  const { t, number } = useTexts();
  const exactMoney = useExactMoney();
  const { signed } = useFormats();
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="returned">
      <h2 id="returned">{t("office.receipt.ifReturned")}</h2>
      <Table
        label={t("office.receipt.ifReturned")}
        headings={[
          t("office.receipt.returnOf"),
          { number: t("office.receipt.refund") },
          { number: t("office.receipt.takenBack") },
          { number: t("office.receipt.left") },
          t("office.receipt.voucher"),
        ]}
      >
        {rows.map(({ Line, Refund, Points: taken, Left, VoucherReturns }) => (
          <tr key={Line}>
            <td>{Line === null ? t("office.receipt.everything") : t("office.receipt.lineNumber", { line: Line })}</td>
            <td className="number">{exactMoney(Refund)}</td>
            <td className="number">{signed(-taken)}</td>
            <td className="number">{number(Left)}</td>
            <td>{VoucherReturns && t("office.receipt.voucherReturns")}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Aside({ receipt }: { receipt: Receipt }) {
  const { t } = useTexts();
  const exactMoney = useExactMoney();
  const { moment } = useFormats();
  const { Customer, Vouchers, Returns } = receipt;
  return (
    <aside>
      <section>
        <h2>{t("office.receipt.customer")}</h2>
        {Customer ? (
          <p>
            {Customer.IdCustomer === null ? (
              Customer.Name
            ) : (
              <Link to={`/customer?id=${Customer.IdCustomer}`}>{Customer.Name}</Link>
            )}
            {Customer.CardNumber && (
              <>
                <br />
                <span className="note">{t("office.receipt.card", { number: Customer.CardNumber })}</span>
              </>
            )}
          </p>
        ) : (
          <p className="note">{t("office.receipt.nobody")}</p>
        )}
      </section>
      {Vouchers.length > 0 && (
        <Facts
          title={t("office.receipt.voucherUsed")}
          facts={Vouchers.map(({ Code, Value, Taken }) => [
            exactMoney(Value),
            `${Code}${Taken === Value ? "" : `, −${exactMoney(Taken)}`}`,
          ])}
        />
      )}
      <Facts
        title={t("office.receipt.rungUp")}
        facts={[
          [t("office.receipt.seller"), receipt.Seller ?? t("office.receipt.noSeller")],
          [t("office.receipt.till"), receipt.TillName],
          [t("office.receipt.sold"), moment(receipt.SoldAt)],
          [t("office.receipt.arrived"), moment(receipt.ArrivedAt)],
        ]}
      />
      <Facts
        title={t("office.receipt.returns")}
        facts={Returns.map(({ ReceiptNumber, Kind, At, Amount, Seller }) => [
          moment(At),
          [t(`office.report.${Kind as "return"}`), ReceiptNumber, `−${exactMoney(Amount)}`, Seller]
            .filter(Boolean)
            .join(", "),
        ])}
        none={t("office.receipt.noReturns")}
      />
    </aside>
  );
}

function Facts({ title, facts, none }: { title: string; facts: [string, ReactNode][]; none?: string }) {
  return (
    <section>
      <h2>{title}</h2>
      {facts.length === 0 && <p className="note">{none}</p>}
      <dl className="office-facts">
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}
