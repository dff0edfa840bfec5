import type { ReactNode } from "react";
import { clubTimeZone, tagOf } from "#i18n/club-day.ts";
import type { Locale } from "#i18n/locale.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { CodesContext } from "#loyalty/card/codes.ts";
import { MemberCard } from "#loyalty/card/member-card.tsx";
import { PendingPoints } from "#loyalty/member-page/pending-points.tsx";
import { Expiring } from "#loyalty/member-page/points-progress.tsx";
import { VoucherTicket } from "#loyalty/rewards/voucher-list.tsx";
import { Section } from "#ui/section.tsx";
import type { CachedCard, ExpiredCard } from "./cached-card.ts";
import { cardEndsAt, maxCardAgeDays } from "./card-cache.ts";
import { useReloadWhenBack } from "./use-reload-when-back.ts";

/** The id of the element that the offline page's script renders into. */
export const offlineRoot = "content";

/** Shown without a network: the cached card and vouchers, and when they were read. */
export function OfflineScreen({ cached }: { cached: CachedCard | ExpiredCard | undefined }) {
  const { t, date, locale } = useTexts();
  useReloadWhenBack();
  if (!cached || "expired" in cached)
    return (
      <OfflineFrame title={t("offline.title")}>
        <p className="mt-4 max-w-[34rem] text-lg text-soft">
          {cached
            ? t("offline.expired", { date: date(new Date(cached.asOf)), days: maxCardAgeDays })
            : t("offline.empty")}
        </p>
        <Retry />
      </OfflineFrame>
    );
  // A voucher that has expired since would be refused at the till.
  const vouchers = cached.vouchers.filter((voucher) => Date.parse(voucher.ExpiresAt) > Date.now());
  return (
    <CodesContext value={{ name: cached.name, card: cached.customer.Card, vouchers }}>
      <OfflineFrame title={t("offline.card")}>
        <p className="mt-2 text-soft">
          {t("offline.asOf", { when: formatMoment(cached.asOf, locale) })} {t("offline.asOfHint")}{" "}
          {t("offline.until", { date: date(cardEndsAt(cached.asOf)) })}
        </p>
        <div className="mt-7 grid items-start gap-x-10 gap-y-12 xl:grid-cols-2">
          <div className="space-y-5">
            <MemberCard customer={cached.customer} name={cached.name} />
            <PendingPoints points={cached.customer.Points} />
            <Expiring points={cached.customer.Points} />
          </div>
          <Section title={t("member.vouchers")}>
            {vouchers.length === 0 ? (
              <p className="text-soft">{t("member.vouchersNone")}</p>
            ) : (
              <ul className="grid gap-5">
                {vouchers.map((voucher, index) => (
                  <VoucherTicket key={voucher.IdCustomerReward} voucher={voucher} open={index === 0} />
                ))}
              </ul>
            )}
          </Section>
        </div>
        <Retry />
      </OfflineFrame>
    </CodesContext>
  );
}

function OfflineFrame({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTexts();
  return (
    <>
      <p className="kicker text-soft">{t("offline.kicker")}</p>
      <h1 className="mt-3 text-title">{title}</h1>
      {children}
    </>
  );
}

function Retry() {
  const { t } = useTexts();
  return (
    <button type="button" className="button mt-10" onClick={() => location.reload()}>
      {t("offline.retry")}
    </button>
  );
}

function formatMoment(moment: string, locale: Locale): string {
  const style = { dateStyle: "long", timeStyle: "short", timeZone: clubTimeZone() } as const;
  return new Intl.DateTimeFormat(tagOf(locale), style).format(new Date(moment));
}
