import type { LoaderFunctionArgs } from "react-router";
import { resendVerification } from "#identity/calls.ts";
import { sessionEnded } from "#identity/session/session.ts";
import { listCustomerRewards, readHistory } from "#loyalty/calls.ts";
import { callContext } from "#platform/api/client.ts";
import type { Submission } from "#platform/api/form.ts";

export async function loader({ context }: LoaderFunctionArgs) {
  if (sessionEnded(context)) return null;
  const call = context.get(callContext);
  const [history, vouchers] = await Promise.all([
    call(readHistory, { Limit: 1 }),
    call(listCustomerRewards, { LoyaltyRewardState: "available", Limit: 1 }),
  ]);
  return {
    hasBeenMember: history.Entries.length > 0,
    vouchers: { count: vouchers.Total ?? 0, until: vouchers.NextExpiry ?? null },
  };
}

export async function act({ call }: Submission) {
  await call(resendVerification);
  return { ok: true as const };
}
