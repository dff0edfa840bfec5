import type { LoaderFunctionArgs } from "react-router";
import { answerPreviousDetails, readPreviousDetails, resendVerification } from "#identity/calls.ts";
import { sessionEnded } from "#identity/session/browser/session.ts";
import { listCustomerRewards, readHistory } from "#loyalty/calls.ts";
import { callContext } from "#platform/api/client/client.ts";
import type { Submission } from "#platform/api/client/form.ts";

export async function loader({ context }: LoaderFunctionArgs) {
  if (sessionEnded(context)) return null;
  const call = context.get(callContext);
  const [{ Details: offered }, history, vouchers] = await Promise.all([
    call(readPreviousDetails),
    call(readHistory, { Limit: 1 }),
    call(listCustomerRewards, { LoyaltyRewardState: "available", Limit: 1 }),
  ]);
  return {
    offered,
    hasBeenMember: history.Entries.length > 0,
    pending: history.Pending,
    vouchers: { count: vouchers.Total ?? 0, until: vouchers.NextExpiry ?? null },
  };
}

export async function act({ form, intent, call }: Submission) {
  if (intent === "resend") await call(resendVerification);
  else {
    form.set("Keep", String(intent === "keep-details"));
    await call(answerPreviousDetails, form);
  }
  return { ok: true as const, intent };
}
