import { amountOf } from "#brand/amounts.ts";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { csvHeads } from "#office/csv-words.server.ts";
import { csvResponse } from "#platform/api/csv.server.ts";
import { decimalText } from "#platform/api/csv.ts";
import type { AccountName } from "./names.ts";
import type { MonthEnd } from "./report.server.ts";
import { movementText } from "./words.ts";

type Cell = string | number | null;

/** The book of a month as one list: what, of which month and status, points and amount. */
export function monthEndAsCsv({ Month, Book }: MonthEnd & { Book: NonNullable<MonthEnd["Book"]> }, locale: Locale) {
  const { t } = textsOf[locale];
  const written = (cents: number) => decimalText(amountOf(cents), locale);
  const both = (account: AccountName, amount: number): Cell[] =>
    account === "vouchers" ? [null, written(amount)] : [amount, null];
  const { Liability: liability } = Book;
  const rows: Cell[][] = [
    ...Book.Accounts.flatMap(({ Name, Opening, Movements, Closing }) => {
      const part = t(`office.monthEnd.${Name}`);
      return [
        [part, t("office.monthEnd.opening"), Month, null, ...both(Name, Opening)],
        ...Movements.map((moved) => [
          part,
          t(movementText(Name, moved.Name)),
          Month,
          null,
          ...both(Name, moved.Amount),
        ]),
        [part, t("office.monthEnd.closing"), Month, null, ...both(Name, Closing)],
      ];
    }),
    ...Book.Expiry.flatMap(({ Month: month, Tiers, VoucherCents }) => [
      ...Tiers.map((points, tier) => [
        ...[
          t("office.monthEnd.expiry"),
          t("office.monthEnd.points"),
          month,
          Book.TierNames[tier] ?? null,
          points,
          null,
        ],
      ]),
      [t("office.monthEnd.expiry"), t("office.monthEnd.vouchers"), month, null, null, written(VoucherCents)],
    ]),
    ...Book.Earlier.map(({ Account, Name, Month: month, Amount }) => [
      ...[t("office.monthEnd.earlier"), t(movementText(Account, Name)), month, null, ...both(Account, Amount)],
    ]),
    ...(["Points", "Pending", "Vouchers", "Total"] as const).map((name) => [
      ...[t("office.monthEnd.liability"), t(`office.owed.${name}`), Month, null, null],
      written(liability[`${name}Cents`]),
    ]),
  ];
  async function* pages() {
    yield rows;
  }
  const columns = csvHeads(["Part", "Position", "Month", "Tier", "Points", "Euros"], locale);
  return csvResponse({
    fileName: `month-end-${Month}.csv`,
    locale,
    columns,
    estimatedRows: rows.length,
    pages: pages(),
  });
}
