import type { LoaderFunctionArgs } from "react-router";
import { listSessions, readCustomer } from "#identity/calls.ts";
import { sessionEnded } from "#identity/session/browser/session.ts";
import { listCustomerRewards } from "#loyalty/calls.ts";
import { callContext } from "#platform/api/client/call-context.ts";

export async function loader({ context }: LoaderFunctionArgs) {
  if (sessionEnded(context)) return null;
  const call = context.get(callContext);
  const [customer, { ProofNeeded: proofNeeded }, { Total: vouchers = 0 }] = await Promise.all([
    call(readCustomer),
    call(listSessions),
    call(listCustomerRewards, { LoyaltyRewardState: "available", Limit: 1 }),
  ]);
  return { customer, proofNeeded, vouchers };
}
