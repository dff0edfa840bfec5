import { Link } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import { LeaveForm } from "#loyalty/membership/leave-form.tsx";
import { VoucherCodes } from "#loyalty/rewards/voucher-list.tsx";
import { lazyPart } from "#ui/lazy.tsx";
import type { ClubProps } from "./club-props.ts";

/** Loaded with the tab that is opened. */
const opened = { when: "shown", within: true } as const;
const VouchersTab = lazyPart(async () => (await import("./vouchers-tab.tsx")).VouchersTab, opened);
const BenefitsTab = lazyPart(async () => (await import("./benefits-tab.tsx")).BenefitsTab, opened);
const HistoryTab = lazyPart(async () => (await import("./history-tab.tsx")).HistoryTab, opened);
/** Loaded where there is a campaign; the rest of the page does not wait for it. */
const Campaigns = lazyPart(async () => (await import("./campaigns.tsx")).Campaigns, { when: "shown" });

/** What each tab of the member page holds, below the card or the line of points. */
export function ClubSections(props: ClubProps) {
  switch (props.tab) {
    case "card":
      return (
        <>
          <div className="print:hidden">
            {props.customer.Campaigns.length > 0 && <Campaigns campaigns={props.customer.Campaigns} />}
          </div>
          <VoucherCodes vouchers={props.vouchers.vouchers} />
          <CardFoot customer={props.customer} idempotencyKey={props.idempotencyKey} refused={props.refused} />
        </>
      );
    case "vouchers":
      return <VouchersTab {...props} />;
    case "benefits":
      return <BenefitsTab {...props} />;
    case "history":
      return <HistoryTab {...props} />;
  }
}

function CardFoot(props: Parameters<typeof LeaveForm>[0]) {
  const { t } = useTexts();
  const path = useLocalePath();
  return (
    <div className="mt-12 flex flex-wrap items-start justify-between gap-x-8 border-line border-t pt-4 print:hidden">
      <Link className="inline-flex min-h-11 items-center" to={path(pagePaths.help)}>
        <span className="underlined">{t("shell.help")}</span>
      </Link>
      <LeaveForm {...props} />
    </div>
  );
}
