import { Link } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import { EventList } from "#loyalty/events/event-list.tsx";
import { LeaveForm } from "#loyalty/membership/leave-form.tsx";
import { RewardList } from "#loyalty/rewards/reward-list.tsx";
import { VoucherList } from "#loyalty/rewards/voucher-list.tsx";
import type { Refused } from "#platform/api/client/form.ts";
import { Campaigns } from "./campaigns.tsx";
import { HistoryList } from "./history-list.tsx";
import { type Claimed, ReceiptForm } from "./receipt-form.tsx";
import type { loader } from "./subscribe.data.ts";
import { TierBenefits } from "./tier-benefits.tsx";

type Loaded = NonNullable<Awaited<ReturnType<typeof loader>>>;

/** The member page below the card: rewards beside vouchers, benefits, ways to earn, history, and leaving the club. */
export function ClubSections(props: {
  club: NonNullable<Loaded["club"]>;
  customer: Loaded["customer"];
  programme: Loaded["programme"];
  vouchers: Loaded["vouchers"];
  idempotencyKey: string;
  refused: Refused | undefined;
  /** The link that confirms the address was sent again. */
  resent: boolean;
  /** The receipt that was added just now. */
  claimed: Claimed | undefined;
  /** The points of the event that was obtained just now. */
  received: number | undefined;
}) {
  const { club, idempotencyKey, refused } = props;
  const { t } = useTexts();
  const path = useLocalePath();
  return (
    <>
      {/* Printed are card, points, vouchers and history; offers are for the screen. */}
      <div className="print:hidden">
        <Campaigns campaigns={props.customer.Campaigns} />
      </div>
      <div className="mt-16 grid grid-cols-1 gap-x-6 gap-y-16 lg:mt-[4.5rem] xl:grid-cols-9 xl:gap-x-10 print:mt-8">
        <div className="xl:col-span-5 print:hidden">
          <RewardList
            rewards={club.listRewards}
            idempotencyKey={club.rewardKey}
            refused={refused}
            obtained={club.obtained}
            resent={props.resent}
          />
        </div>
        <div className="xl:col-span-4">
          <VoucherList
            {...props.vouchers}
            lowestCost={club.listRewards[0]?.Points ?? 0}
            available={props.customer.Points.Available}
          />
        </div>
      </div>
      <div className="mt-16 space-y-16 lg:mt-[4.5rem] lg:space-y-[4.5rem] print:mt-8">
        <div className="space-y-16 lg:space-y-[4.5rem] print:hidden">
          <TierBenefits customer={props.customer} tiers={props.programme.Tiers} />
          <EventList
            events={club.customerEvents}
            idempotencyKey={idempotencyKey}
            refused={refused}
            received={props.received}
          />
          <ReceiptForm code={club.receipt} claimed={props.claimed} refused={refused} />
        </div>
        <HistoryList history={club.history} />
        <p className="print:hidden">
          <Link className="inline-flex min-h-11 items-center" to={path(pagePaths.help)}>
            <span className="underlined">{t("shell.help")}</span>
          </Link>
        </p>
        <LeaveForm customer={props.customer} idempotencyKey={idempotencyKey} refused={refused} />
      </div>
    </>
  );
}
