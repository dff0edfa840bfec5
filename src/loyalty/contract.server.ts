import { eventsContract } from "#loyalty/events/contract.server.ts";
import { ledgerContract } from "#loyalty/ledger/contract.server.ts";
import { membershipContract } from "#loyalty/membership/contract.server.ts";
import { movedContract } from "#loyalty/moved/contract.server.ts";
import { programmeContract } from "#loyalty/programme/contract.server.ts";
import { rewardsContract } from "#loyalty/rewards/contract.server.ts";
import { walletContract } from "#loyalty/wallet/contract.server.ts";

/** The contracts of all the club's modules. */
export const loyaltyContract = {
  ...programmeContract,
  ...ledgerContract,
  ...membershipContract,
  ...eventsContract,
  ...rewardsContract,
  ...movedContract,
  ...walletContract,
};

type LoyaltyContract = typeof loyaltyContract;
declare module "#platform/api/api.ts" {
  interface Api extends LoyaltyContract {}
}
