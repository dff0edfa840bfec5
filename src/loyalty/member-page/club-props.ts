import type { MemberTab } from "#loyalty/member-tabs.ts";
import type { TillCode } from "#loyalty/rewards/reward-list.tsx";
import type { Refused } from "#platform/api/client/form.ts";
import type { Claimed } from "./receipt-form.tsx";
import type { loader } from "./subscribe.data.ts";

type Loaded = NonNullable<Awaited<ReturnType<typeof loader>>>;

/** What the tabs of the member page show. */
export interface ClubProps {
  tab: MemberTab;
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
  /** The code for a till that was made just now. */
  tillCode: TillCode | undefined;
  /** The points of the event that was obtained just now. */
  received: number | undefined;
}
