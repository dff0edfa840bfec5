import { Link, useSearchParams } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import type { listCustomerRewards } from "#loyalty/calls.ts";
import { Barcode } from "#loyalty/card/barcode.tsx";
import { CodeLink, FullScreenCode } from "#loyalty/card/code-link.tsx";
import { voucherDialog } from "#loyalty/card/codes.ts";
import { EmptyState } from "#loyalty/card/empty-state.tsx";
import { endsSoon } from "#loyalty/ends-soon.ts";
import { pageLink } from "#loyalty/page-link.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { Section } from "#ui/section.tsx";
import { type VoucherFilter, voucherFilters } from "./voucher-states.ts";

export type Voucher = ResponseBody<typeof listCustomerRewards>["CustomerRewards"][number];

/** The customer's vouchers, filtered by state; all of them by default. */
export function VoucherList({
  vouchers,
  filter,
  page,
  pages,
  lowestCost,
  available,
}: {
  vouchers: Voucher[];
  filter: VoucherFilter;
  page: number;
  pages: number;
  /** The points of the cheapest voucher. */
  lowestCost: number;
  /** The points that can be spent. */
  available: number;
}) {
  const { t, number } = useTexts();
  const [search] = useSearchParams();
  const points = t("card.pointsCount", { count: lowestCost, formatted: number(lowestCost) });
  const none = () => (available >= lowestCost ? t("member.vouchersReady") : t("member.vouchersEmpty", { points }));
  return (
    <Section id={sectionId} title={t("member.vouchers")}>
      <nav aria-label={t("member.vouchers")}>
        <ul className="-mx-3 -mt-3 mb-4 flex flex-wrap gap-x-1">
          {voucherFilters.map((name) => (
            <li key={name}>
              <Link
                to={linkTo(search, { state: name === "all" ? null : name, vouchers: null })}
                preventScrollReset
                aria-current={filter === name ? "true" : undefined}
                className="inline-flex min-h-11 min-w-11 items-center justify-center px-3 text-soft aria-[current]:text-ink"
              >
                <span className={filter === name ? "underlined" : ""}>{t(`member.filter.${name}`)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {vouchers.length === 0 ? (
        <EmptyState>{filter === "all" ? none() : t("member.vouchersNone")}</EmptyState>
      ) : (
        <ul className="grid grid-cols-1 gap-4">
          {vouchers.map((voucher) => (
            <VoucherTicket key={voucher.IdCustomerReward} voucher={voucher} />
          ))}
        </ul>
      )}
      {pages > 1 && (
        <nav aria-label={t("member.voucherPages")} className="mt-4 flex flex-wrap items-center gap-x-8">
          {page > 1 && (
            <Link
              className="inline-flex min-h-11 items-center"
              to={linkTo(search, { vouchers: page > 2 ? page - 1 : null })}
            >
              <span className="underlined">{t("member.voucherNewer")}</span>
            </Link>
          )}
          {page < pages && (
            <Link className="inline-flex min-h-11 items-center" to={linkTo(search, { vouchers: page + 1 })}>
              <span className="underlined">{t("member.voucherOlder")}</span>
            </Link>
          )}
          <p className="text-[0.875rem] text-soft">{t("member.voucherPage", { page, pages })}</p>
        </nav>
      )}
    </Section>
  );
}

const sectionId = "vouchers";

/** The same page with other parameters, at this section: its place and the other sections stay as they are. */
function linkTo(search: URLSearchParams, changes: Record<string, string | number | null>): string {
  return pageLink(search, changes, sectionId);
}

/** `fresh`: just obtained, and shown above the rewards as well as in the list. */
export function VoucherTicket({ voucher, fresh = false }: { voucher: Voucher; fresh?: boolean }) {
  const { t, money, date } = useTexts();
  const soon = endsSoon(voucher.ExpiresAt);
  const when = {
    available: () =>
      voucher.HeldUntil
        ? t("member.voucherHeld")
        : t(soon ? "member.voucherSoon" : "member.voucherUntil", { date: date(voucher.ExpiresAt) }),
    used: () => t("member.voucherUsed", { date: date(voucher.UsedAt ?? voucher.ExpiresAt) }),
    expired: () => t("member.voucherExpired", { date: date(voucher.ExpiresAt) }),
  }[voucher.LoyaltyRewardState]();
  if (voucher.LoyaltyRewardState !== "available")
    return (
      <li className="flex flex-wrap items-baseline justify-between gap-x-4 border-line border-b pb-4 text-soft">
        <h3 className="text-[1.375rem]">{money(voucher.Value.Amount)}</h3>
        <p className="text-[0.875rem]">
          {when} <span className="tabular-nums tracking-[0.06em]">{voucher.Code}</span>
        </p>
      </li>
    );
  return (
    <li className="relative border border-line bg-paper p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="text-[1.875rem]">{money(voucher.Value.Amount)}</h3>
        <p className={`text-[0.875rem] ${soon ? "border-gold border-l-2 pl-3" : "text-soft"}`}>{when}</p>
      </div>
      <VoucherBarcode voucher={voucher} when={when} fresh={fresh} />
    </li>
  );
}

/** The barcode of an available voucher, on the ticket and in full screen. */
function VoucherBarcode({ voucher, when, fresh }: { voucher: Voucher; when: string; fresh: boolean }) {
  const { t, money } = useTexts();
  const id = `${voucherDialog(voucher)}${fresh ? "-new" : ""}`;
  return (
    <>
      <div className="mt-4 h-16">
        <Barcode svg={voucher.BarcodeSvg} />
      </div>
      <p className="tabular-nums mt-2 text-center text-[0.9375rem] tracking-[0.14em]">{voucher.Code}</p>
      <CodeLink
        id={id}
        className={`button ${fresh ? "button-solid" : "button-outline"} button-small mt-4 w-full before:absolute before:inset-0`}
      >
        {t("member.voucherShow")} <span className="sr-only">{voucher.Name}</span>
      </CodeLink>
      <FullScreenCode
        id={id}
        title={voucher.Name}
        note={when}
        value={<span className="font-display text-[1.75rem] leading-none">{money(voucher.Value.Amount)}</span>}
        svg={voucher.BarcodeSvg}
        code={voucher.Code}
      />
    </>
  );
}
