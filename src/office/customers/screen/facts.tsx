import type { ReactNode } from "react";
import { tagOf } from "#i18n/club-day.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { Label } from "#office/screen/controls/controls.tsx";
import { List } from "#office/screen/controls/list.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import type { CustomerRecord } from "./customer.data.ts";

type Voucher = CustomerRecord["Vouchers"][number];

const voucherTones = { available: "good", used: "soft", expired: "soft", cancelled: "soft" } as const;

/** At the left: how to reach them, points by expiry, vouchers, devices. */
export function Facts({ record }: { record: CustomerRecord }) {
  return (
    <div className="facts">
      <Notes record={record} />
      <Contact record={record} />
      <Expiry record={record} />
      <Vouchers record={record} />
      <Devices record={record} />
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Notes({ record }: { record: CustomerRecord }) {
  const { t } = useTexts();
  const { dayOfYear } = useFormats();
  if (record.Notes.length === 0) return null;
  return (
    <section>
      <h2>{t("office.customer.notes")}</h2>
      <ul className="office-notes">
        {record.Notes.map(({ At, By, Text }) => (
          <li key={At}>
            <p>{Text}</p>
            <p className="note">{[By, dayOfYear(At)].filter(Boolean).join(", ")}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Contact({ record }: { record: CustomerRecord }) {
  const { t, date } = useTexts();
  const { dayOfYear } = useFormats();
  const consent = (subject: "newsletter" | "sms") => {
    const found = record.Consents.find(({ Subject }) => Subject === subject);
    if (!found?.Given) return t("office.customer.no");
    return (
      <>
        {t("office.customer.yes")}{" "}
        <span className="note">{t("office.customer.since", { date: dayOfYear(found.At) })}</span>
      </>
    );
  };
  return (
    <section>
      <h2>{t("office.customer.contact")}</h2>
      <dl className="office-facts">
        <Fact name={t("office.customer.email")}>
          <span className="break">{record.Email}</span>{" "}
          {!record.EmailVerified && <span className="note">{t("office.customer.unverified")}</span>}
        </Fact>
        {record.PendingEmail && (
          <Fact name={t("office.customer.pendingEmail")}>
            <span className="break">{record.PendingEmail}</span>{" "}
            <span className="note">{t("office.customer.unverified")}</span>
          </Fact>
        )}
        {record.MobilePhone && <Fact name={t("office.customer.phone")}>{record.MobilePhone}</Fact>}
        {record.Birthday && <Fact name={t("office.customer.born")}>{date(record.Birthday)}</Fact>}
        <Fact name={t("office.customer.language")}>{t(`office.lang.${record.LanguageIsoCode}`)}</Fact>
        <Fact name={t("office.customer.newsletter")}>{consent("newsletter")}</Fact>
        <Fact name={t("office.customer.sms")}>{consent("sms")}</Fact>
      </dl>
      {record.MergedAccounts > 0 && (
        <p className="note">{t("office.customer.merged", { count: record.MergedAccounts })}</p>
      )}
    </section>
  );
}

function Expiry({ record }: { record: CustomerRecord }) {
  const { t, number, locale } = useTexts();
  const { ByExpiry } = record.Points;
  const most = Math.max(1, ...ByExpiry.map(({ Points }) => Points));
  const month = new Intl.DateTimeFormat(tagOf(locale), { month: "short", year: "numeric", timeZone: "UTC" });
  return (
    <section>
      <h2>{t("office.customer.byExpiry")}</h2>
      {ByExpiry.length === 0 && <p className="note">{t("office.customer.noPoints")}</p>}
      <ul className="office-bars">
        {ByExpiry.map(({ Month, Points }) => (
          <li key={Month}>
            <span className="note">{month.format(new Date(`${Month}-15T12:00:00Z`))}</span>
            <meter min={0} max={most} value={Points} aria-hidden="true" />
            <span className="number">{number(Points)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Vouchers({ record }: { record: CustomerRecord }) {
  const { t, money } = useTexts();
  const { dayOfYear } = useFormats();
  const whenOf = ({ UsedAt, ExpiresAt }: Voucher) => UsedAt ?? ExpiresAt;
  return (
    <section>
      <h2>{t("office.customer.vouchers")}</h2>
      <List
        label={t("office.customer.vouchers")}
        rows={record.Vouchers}
        columns={[
          { heading: t("office.figures.value"), value: ({ Value }) => Number(Value.Amount), number: true },
          { heading: t("office.team.state"), value: ({ State }) => t(`office.voucher.${State}`) },
          { heading: t("office.audit.when"), value: (voucher) => dayOfYear(whenOf(voucher)), by: whenOf },
        ]}
        empty={t("office.customer.noVouchers")}
        csvName="vouchers.csv"
        row={(voucher) => (
          <tr key={voucher.IdCustomerReward}>
            <td className="number">{money(voucher.Value.Amount)}</td>
            <td>
              <Label tone={voucherTones[voucher.State]}>{t(`office.voucher.${voucher.State}`)}</Label>
            </td>
            <td>
              {dayOfYear(whenOf(voucher))}
              {voucher.ReceiptNumber && <div className="note">{voucher.ReceiptNumber}</div>}
            </td>
          </tr>
        )}
      />
    </section>
  );
}

function Devices({ record }: { record: CustomerRecord }) {
  const { t } = useTexts();
  const { moment } = useFormats();
  const { Sessions, Passes } = record;
  const passes = [Passes.ApplePhones > 0 && "Apple Wallet", Passes.Google && "Google Wallet"].filter(Boolean);
  return (
    <section>
      <h2>{t("office.customer.devices")}</h2>
      {Sessions.length === 0 && passes.length === 0 && <p className="note">{t("office.customer.noDevices")}</p>}
      <dl className="office-facts">
        {Sessions.slice(0, 5).map(({ IdSession, Device, LastSeenAt }) => (
          <Fact key={IdSession} name={Device?.split(" · ")[1] ?? t("office.customer.device")}>
            {Device?.split(" · ")[0]} <span className="note">{moment(LastSeenAt)}</span>
          </Fact>
        ))}
        {passes.length > 0 && <Fact name={t("office.customer.pass")}>{passes.join(", ")}</Fact>}
      </dl>
    </section>
  );
}
