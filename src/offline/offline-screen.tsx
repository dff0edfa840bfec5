import { type ReactNode, useEffect } from "react";
import { type Locale, tags } from "#i18n/locale.ts";
import { timeZone } from "#i18n/texts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { MemberCard } from "#loyalty/card/member-card.tsx";
import { VoucherTicket } from "#loyalty/rewards/voucher-list.tsx";
import { Section } from "#ui/section.tsx";
import type { KeptCard } from "./kept-card.ts";

/** The element of the offline page that the script fills. */
export const offlineRoot = "content";

/** Without a network: the card and the vouchers this phone saw last, and since when they may have changed. */
export function OfflineScreen({ kept }: { kept: KeptCard | undefined }) {
  const { t, locale } = useTexts();
  useReturn();
  if (!kept)
    return (
      <Apart title={t("offline.title")}>
        <p className="mt-4 max-w-[34rem] text-[1.0625rem] text-soft">{t("offline.empty")}</p>
        <Retry />
      </Apart>
    );
  // A voucher that has lapsed since would only be refused at the till.
  const vouchers = kept.vouchers.filter((voucher) => Date.parse(voucher.ExpiresAt) > Date.now());
  return (
    <Apart title={t("offline.card")}>
      <p className="mt-2 text-soft">
        {t("offline.asOf", { when: momentOf(kept.asOf, locale) })} {t("offline.asOfHint")}
      </p>
      <div className="mt-7 grid items-start gap-x-10 gap-y-12 xl:grid-cols-2">
        <MemberCard customer={kept.customer} name={kept.name} />
        <Section title={t("member.vouchers")}>
          {vouchers.length === 0 ? (
            <p className="text-soft">{t("member.vouchersNone")}</p>
          ) : (
            <ul className="grid gap-5">
              {vouchers.map((voucher) => (
                <VoucherTicket key={voucher.IdCustomerReward} voucher={voucher} />
              ))}
            </ul>
          )}
        </Section>
      </div>
      <Retry />
    </Apart>
  );
}

function Apart({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTexts();
  return (
    <>
      <p className="kicker text-soft">{t("offline.kicker")}</p>
      <h1 className="mt-3 text-[clamp(2.25rem,5vw,3.25rem)]">{title}</h1>
      {children}
    </>
  );
}

function Retry() {
  const { t } = useTexts();
  return (
    <button type="button" className="button button-outline mt-10" onClick={() => location.reload()}>
      {t("offline.retry")}
    </button>
  );
}

/** Back online, the page that was asked for comes by itself, unless somebody is holding a code to a scanner. */
function useReturn(): void {
  useEffect(() => {
    const back = () => {
      if (!document.querySelector("dialog[open]")) location.reload();
    };
    addEventListener("online", back);
    return () => removeEventListener("online", back);
  }, []);
}

function momentOf(moment: string, locale: Locale): string {
  const style = { dateStyle: "long", timeStyle: "short", timeZone } as const;
  return new Intl.DateTimeFormat(tags[locale], style).format(new Date(moment));
}
