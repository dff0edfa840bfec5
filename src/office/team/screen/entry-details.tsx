import { Fragment } from "react";
import { amountOf } from "#brand/amounts.ts";
import type { Locale } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { emailKinds, reasons } from "#office/customers/choices.ts";
import { useMonths } from "#office/month-end/screen/use-months.ts";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { keyScopes } from "#shop/keys/key-scopes.ts";
import { type Detail, detailsOf } from "./details.ts";
import { roles } from "./role-fields.tsx";
import type { Person } from "./team.data.ts";

/** Whom and what the ids of an entry name. */
export interface Known {
  staff: readonly Person[];
  shops: readonly { IdShop: number; Name: string }[];
}

/** Why it was done, and what was so before and after. The values are ids, numbers and choices. */
export function EntryDetails({
  reason,
  before,
  after,
  known,
}: {
  reason: string | null;
  before: unknown;
  after: unknown;
  known: Known;
}) {
  const { t } = useTexts();
  const choice = reasons.find((one) => one === reason);
  const details = detailsOf(before, after);
  const isOfMonth = details.some(({ name }) => name === "month");
  return (
    <>
      {choice ? t(`office.reason.${choice}`) : reason}
      {details.length > 0 && (
        <p className="note">
          {details.map((detail, index) => (
            <Fragment key={detail.name}>
              {index > 0 && ", "}
              <Value detail={detail} known={known} isOfMonth={isOfMonth} />
            </Fragment>
          ))}
        </p>
      )}
    </>
  );
}

/** A name in every language. Older entries about campaigns have one alone. */
const isName = (name: string, value: unknown): value is Record<Locale, string> =>
  name === "campaign" && typeof value === "object" && value !== null;

/** Lists of rules, and texts in three languages, are named and not written out. */
const isLong = (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  (!Array.isArray(value) || value.every((one) => typeof one === "object"));

function Value({ detail, known, isOfMonth }: { detail: Detail; known: Known; isOfMonth: boolean }) {
  const { name, text, was, is } = detail;
  const { t } = useTexts();
  const shown = useShown(known);
  const words = text ? t(text) : name;
  if (is === true || (!isName(name, is) && (isLong(is) || isLong(was)))) return words;
  const changed = was !== undefined && was !== null;
  // Points before and after are a balance, which has no sign, and so are those of a closed month.
  const whole = (changed || isOfMonth) && name === "points" ? "balance" : name;
  return (
    <>
      {words} {changed && <del>{shown(whole, was)}</del>} {is !== null && shown(whole, is)}
    </>
  );
}

/** What a campaign may be judged by. */
const metrics = ["revenue", "purchases", "returning"] as const;
const people = ["askedBy", "soldBy", "staffId"];
const places = ["shopId", "ofShop"];
const days = ["from", "to"];
const moments = ["soldAt", "startsAt"];
const counts = ["balance", "debt", "earned", "estimatedRows", "moved", "restored", "taken", "welcomePoints"];

function useShown({ staff, shops }: Known) {
  const { t, locale, number, money } = useTexts();
  const { dayOfYear, moment, signed } = useFormats();
  const { title: month } = useMonths();
  const kinds: Record<string, string> = {
    boutique: t("office.shopKind.boutique"),
    web: t("office.shopKind.web"),
    erase: t("office.do.erase"),
    merge: t("office.do.merge"),
    points: t("office.adjust.title"),
    voucher: t("office.give.title"),
    return: t("office.action.return"),
    exchange: t("office.report.exchange"),
  };
  const ways: Record<string, string> = {
    code: t("office.detail.by_code"),
    passkey: t("office.detail.by_passkey"),
    sandbox: t("office.detail.by_sandbox"),
    company: t("office.detail.by_company"),
  };
  const agreements: Record<string, string> = {
    card: t("office.detail.by_card"),
    code: t("office.detail.by_till_code"),
  };
  const nameOf = (name: string, text: string): string | undefined => {
    const person = people.includes(name) && staff.find(({ IdStaff }) => String(IdStaff) === text);
    if (person) return `${person.Firstname} ${person.Lastname}`;
    return places.includes(name) ? shops.find(({ IdShop }) => String(IdShop) === text)?.Name : undefined;
  };
  const choiceOf = (name: string, text: string): string | undefined => {
    if (name === "kind") return kinds[text];
    if (name === "by") return ways[text];
    if (name === "agreedBy") return agreements[text];
    if (name === "events" && text === "all") return t("office.webhook.allEvents");
    const metric = name === "metric" && metrics.find((one) => one === text);
    if (metric) return t(`office.result.metric.${metric}`);
    const role = name === "role" && roles.find((one) => one === text);
    if (role) return t(`office.role.${role}`);
    const email = name === "letter" && emailKinds.find((one) => one === text);
    return email ? t(`office.resend.${email}`) : undefined;
  };
  return (name: string, value: unknown): string => {
    if (name === "scopes" && Array.isArray(value))
      return keyScopes
        .filter((one) => value.includes(one))
        .map((scope) => t(`office.scope.${scope}`))
        .join(", ");
    if (Array.isArray(value)) return value.join(", ");
    if (isName(name, value)) return value[locale];
    if (typeof value === "boolean") return t(value ? "office.customer.yes" : "office.customer.no");
    const text = String(value);
    if (days.includes(name)) return dayOfYear(text);
    if (moments.includes(name)) return moment(text);
    if (name === "month") return month(text);
    if (name === "points") return signed(Number(value));
    if (name === "valueCents") return money(amountOf(Number(value)));
    if (counts.includes(name)) return number(Number(value));
    return nameOf(name, text) ?? choiceOf(name, text) ?? text;
  };
}
