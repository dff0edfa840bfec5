import { Link } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import { EventList } from "#loyalty/events/event-list.tsx";
import { LeaveForm } from "#loyalty/membership/leave-form.tsx";
import { RewardList } from "#loyalty/rewards/reward-list.tsx";
import { VoucherList } from "#loyalty/rewards/voucher-list.tsx";
import type { Refused } from "#platform/api/form.ts";
import { HistoryList } from "./history-list.tsx";
import { ReceiptForm } from "./receipt-form.tsx";
import type { loader } from "./subscribe.data.ts";
import { TierBenefits } from "./tier-benefits.tsx";

type Loaded = NonNullable<Awaited<ReturnType<typeof loader>>>;

/** The member page below the card: rewards, events, vouchers, history, and leaving the club. */
export function ClubSections(props: {
  club: NonNullable<Loaded["club"]>;
  customer: Loaded["customer"];
  programme: Loaded["programme"];
  vouchers: Loaded["vouchers"];
  idempotencyKey: string;
  refused: Refused | undefined;
  /** The link that confirms the address was sent again. */
  resent: boolean;
}) {
  const { club, idempotencyKey, refused } = props;
  const { t } = useTexts();
  const path = useLocalePath();
  return (
    <>
      <div className="mt-14 grid gap-x-10 gap-y-14 xl:grid-cols-2">
        <RewardList
          rewards={club.listRewards}
          idempotencyKey={club.rewardKey}
          refused={refused}
          obtained={club.obtained}
          resent={props.resent}
        />
        <EventList events={club.customerEvents} idempotencyKey={idempotencyKey} refused={refused} />
      </div>
      <div className="mt-14 space-y-14">
        <VoucherList {...props.vouchers} lowestCost={club.listRewards[0]?.Points ?? 0} />
        <TierBenefits customer={props.customer} tiers={props.programme.Tiers} />
        <HistoryList history={club.history} />
        <ReceiptForm code={club.receipt} refused={refused} />
        <p>
          <Link className="inline-flex min-h-11 items-center" to={path(pagePaths.help)}>
            <span className="underlined">{t("shell.help")}</span>
          </Link>
        </p>
        <LeaveForm idempotencyKey={idempotencyKey} refused={refused} />
      </div>
    </>
  );
}
