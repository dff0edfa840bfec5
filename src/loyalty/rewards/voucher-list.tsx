import { Link, useSearchParams } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import type { listCustomerRewards } from "#loyalty/calls.ts";
import { Barcode } from "#loyalty/card/barcode.tsx";
import { CodeLink, FullScreenCode } from "#loyalty/card/code-link.tsx";
import { voucherDialog } from "#loyalty/card/codes.ts";
import { endsSoon } from "#loyalty/ends-soon.ts";
import { tabParameter } from "#loyalty/member-tabs.ts";
import { pageLink } from "#loyalty/page-link.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { Empty } from "#ui/empty.tsx";
import { Drape } from "#ui/fabric/drape.tsx";
import { Icon } from "#ui/icon.tsx";
import { Section } from "#ui/section.tsx";
import { type VoucherFilter, voucherFilters, voucherStates } from "./voucher-states.ts";

export type Voucher = ResponseBody<typeof listCustomerRewards>["CustomerRewards"][number];

/** The customer's vouchers by state, or those of one state. */
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
      <nav aria-label={t("member.vouchers")} className="tabs list-tabs -mt-3 mb-4">
        {voucherFilters.map((name) => (
          <Link
            key={name}
            to={linkTo(search, { state: name === "all" ? null : name, vouchers: null })}
            preventScrollReset
            aria-current={filter === name ? "true" : undefined}
          >
            {t(`member.filter.${name}`)}
          </Link>
        ))}
      </nav>
      {vouchers.length === 0 ? (
        <Empty picture={<Drape name="cotton-tile" own="empty" />}>
          {filter === "all" ? none() : t("member.vouchersNone")}
        </Empty>
      ) : (
        <div className="space-y-8">
          {voucherStates.map((state) => {
            const own = vouchers.filter(({ LoyaltyRewardState }) => LoyaltyRewardState === state);
            if (own.length === 0) return null;
            return (
              <div key={state}>
                <h3 className={filter === "all" ? "kicker mb-3 text-soft" : "sr-only"}>
                  {t(`member.filter.${state}`)}
                </h3>
                <ul className={state === "available" ? "voucher-stack" : "space-y-3"}>
                  {own.map((voucher, index) => (
                    <VoucherTicket key={voucher.IdCustomerReward} voucher={voucher} open={index === 0} />
                  ))}
                </ul>
              </div>
            );
          })}
        </div>
      )}
      {pages > 1 && (
        <nav aria-label={t("member.voucherPages")} className="mt-4 flex flex-wrap items-center gap-x-8">
          {page > 1 && (
            <Link
              className="inline-flex min-h-11 items-center"
              to={linkTo(search, { vouchers: page > 2 ? page - 1 : null })}
            >
              <span className="underlined">{t("member.voucherPrevious")}</span>
            </Link>
          )}
          {page < pages && (
            <Link className="inline-flex min-h-11 items-center" to={linkTo(search, { vouchers: page + 1 })}>
              <span className="underlined">{t("member.voucherNext")}</span>
            </Link>
          )}
          <p className="text-sm text-soft">{t("member.voucherPage", { page, pages })}</p>
        </nav>
      )}
    </Section>
  );
}

const sectionId = "vouchers";

/** The same page with other parameters, at this section: its place and the other sections stay as they are. */
function linkTo(search: URLSearchParams, changes: Record<string, string | number | null>): string {
  return pageLink(search, { [tabParameter]: "vouchers", ...changes }, sectionId);
}

/** Closed, it says what it is worth and until when; opened, it shows its barcode. */
export function VoucherTicket({ voucher, open }: { voucher: Voucher; open: boolean }) {
  const { money } = useTexts();
  const when = useWhen(voucher);
  if (voucher.LoyaltyRewardState !== "available")
    return (
      <li className="flex items-baseline justify-between gap-x-4 border-line border-b pb-4 text-soft">
        <p className="font-display text-2xl leading-tight">{money(voucher.Value.Amount)}</p>
        <p className="min-w-0 text-right text-sm">
          {when} <span className="block tabular-nums tracking-[0.06em]">{voucher.Code}</span>
        </p>
      </li>
    );
  return (
    <li className="relative border border-line bg-paper pt-2">
      <span aria-hidden="true" className="cloth cloth-silk voucher-hem" />
      <details name="voucher" className="group/voucher" open={open || undefined}>
        <summary className="flex list-none items-center gap-x-4 p-5">
          <span className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-display text-4xl leading-tight">{money(voucher.Value.Amount)}</span>
            <span className={`text-sm ${endsSoon(voucher.ExpiresAt) ? "border-gold border-l-2 pl-3" : "text-soft"}`}>
              {when}
            </span>
          </span>
          <Icon name="up" className="size-4 shrink-0 rotate-180 group-open/voucher:rotate-0" />
        </summary>
        <div className="px-5 pb-5">
          <VoucherBarcode voucher={voucher} />
        </div>
      </details>
      <VoucherCode voucher={voucher} id={voucherDialog(voucher)} />
    </li>
  );
}

/** Just obtained: shown above the rewards as well as in the list. */
export function ObtainedTicket({ voucher }: { voucher: Voucher }) {
  const { money } = useTexts();
  const when = useWhen(voucher);
  return (
    <div className="relative bg-paper p-5">
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-display text-4xl leading-tight">{money(voucher.Value.Amount)}</p>
        <p className="text-sm text-soft">{when}</p>
      </div>
      <VoucherBarcode voucher={voucher} fresh />
      <VoucherCode voucher={voucher} id={`${voucherDialog(voucher)}-new`} />
    </div>
  );
}

/** Until when it is valid, or what became of it. */
function useWhen(voucher: Voucher): string {
  const { t, date } = useTexts();
  return {
    available: () =>
      voucher.HeldUntil
        ? t("member.voucherHeld")
        : t(endsSoon(voucher.ExpiresAt) ? "member.voucherSoon" : "member.voucherUntil", {
            date: date(voucher.ExpiresAt),
          }),
    used: () => t("member.voucherUsed", { date: date(voucher.UsedAt ?? voucher.ExpiresAt) }),
    expired: () => t("member.voucherExpired", { date: date(voucher.ExpiresAt) }),
    cancelled: () => t("member.voucherCancelled"),
  }[voucher.LoyaltyRewardState]();
}

/** The barcode of an available voucher, and the link that shows it in full screen. */
function VoucherBarcode({ voucher, fresh = false }: { voucher: Voucher; fresh?: boolean }) {
  const { t } = useTexts();
  return (
    <>
      <div className="light-scheme h-16 bg-paper">
        <Barcode svg={voucher.BarcodeSvg} />
      </div>
      <p className="tabular-nums mt-2 text-center text-md tracking-[0.14em]">{voucher.Code}</p>
      <CodeLink
        id={`${voucherDialog(voucher)}${fresh ? "-new" : ""}`}
        className={`button small mt-4 w-full ${fresh ? "solid" : ""}`}
      >
        {t("member.voucherShow")} <span className="sr-only">{voucher.Name}</span>
      </CodeLink>
    </>
  );
}

/** Where the list is not: the codes that the card's full screen leads to, and on paper the vouchers themselves. */
export function VoucherCodes({ vouchers }: { vouchers: Voucher[] }) {
  const available = vouchers.filter(({ LoyaltyRewardState }) => LoyaltyRewardState === "available");
  return (
    <>
      <ul className="hidden print:mt-8 print:grid print:grid-cols-3 print:gap-6">
        {available.map((voucher) => (
          <PrintedVoucher key={voucher.IdCustomerReward} voucher={voucher} />
        ))}
      </ul>
      {available.map((voucher) => (
        <VoucherCode key={voucher.IdCustomerReward} voucher={voucher} id={voucherDialog(voucher)} />
      ))}
    </>
  );
}

function PrintedVoucher({ voucher }: { voucher: Voucher }) {
  const { money } = useTexts();
  return (
    <li>
      <p className="font-display text-2xl">{money(voucher.Value.Amount)}</p>
      <p className="mb-2 text-xs">{useWhen(voucher)}</p>
      <VoucherBarcode voucher={voucher} />
    </li>
  );
}

/** The code in full screen. Outside the ticket's <details>: what is inside a closed one is never shown. */
function VoucherCode({ voucher, id }: { voucher: Voucher; id: string }) {
  const { money } = useTexts();
  return (
    <FullScreenCode
      id={id}
      title={voucher.Name}
      kind={voucher.Name}
      note={useWhen(voucher)}
      fabric="silk"
      value={<span className="font-display text-5xl leading-none">{money(voucher.Value.Amount)}</span>}
      svg={voucher.BarcodeSvg}
      code={voucher.Code}
    />
  );
}
