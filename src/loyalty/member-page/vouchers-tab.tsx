import { CardCode } from "#loyalty/card/member-card.tsx";
import { Obtained, RewardList } from "#loyalty/rewards/reward-list.tsx";
import { VoucherList } from "#loyalty/rewards/voucher-list.tsx";
import type { ClubProps } from "./club-props.ts";

export function VouchersTab({ club, customer, vouchers, refused, resent, tillCode }: ClubProps) {
  return (
    <>
      <CardCode customer={customer} />
      {club.obtained && <Obtained key={club.obtained.IdCustomerReward} voucher={club.obtained} />}
      <div className="mt-10 grid grid-cols-1 gap-x-6 gap-y-12 xl:grid-cols-9 xl:gap-x-10">
        <div className="xl:col-span-5">
          <VoucherList
            {...vouchers}
            lowestCost={club.listRewards[0]?.Points ?? 0}
            available={customer.Points.Available}
          />
        </div>
        <div className="xl:col-span-4">
          <RewardList
            rewards={club.listRewards}
            idempotencyKey={club.rewardKey}
            refused={refused}
            obtained={club.obtained}
            resent={resent}
            tillCode={tillCode}
          />
        </div>
      </div>
    </>
  );
}
