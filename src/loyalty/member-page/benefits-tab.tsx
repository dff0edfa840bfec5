import { EventList } from "#loyalty/events/event-list.tsx";
import type { ClubProps } from "./club-props.ts";
import { FriendLink } from "./friend-link.tsx";
import { TierBenefits } from "./tier-benefits.tsx";

export function BenefitsTab({ club, customer, programme, idempotencyKey, refused, received }: ClubProps) {
  return (
    <div className="mt-8 space-y-10 sm:mt-10 sm:space-y-12">
      <TierBenefits customer={customer} tiers={programme.Tiers} />
      <EventList events={club.customerEvents} idempotencyKey={idempotencyKey} refused={refused} received={received} />
      {customer.Referral && <FriendLink referral={customer.Referral} />}
    </div>
  );
}
