import type { LoaderFunctionArgs } from "react-router";
import { answerPreviousDetails, readPreviousDetails, resendVerification } from "#identity/calls.ts";
import { sessionEnded } from "#identity/session/browser/session.ts";
import { listCustomerRewards, readHistory, readProgramme } from "#loyalty/calls.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import type { Submission } from "#platform/api/client/form.ts";

export async function loader({ context }: LoaderFunctionArgs) {
  if (sessionEnded(context)) return null;
  const call = context.get(callContext);
  const [{ Details: offered }, history, vouchers, { Tiers }] = await Promise.all([
    call(readPreviousDetails),
    call(readHistory, { Limit: 10 }),
    call(listCustomerRewards, { LoyaltyRewardState: "available", Limit: 1 }),
    call(readProgramme),
  ]);
  const [pending] = history.Pending ?? [];
  const { Label, Date: on, Points } = pending ?? history.Entries.find(({ Kind }) => Kind === "purchase") ?? {};
  return {
    offered,
    hasBeenMember: history.Entries.length > 0,
    purchase: Label && on && { label: Label, date: on, points: Points ?? 0, arrivesAt: pending?.ArrivesAt },
    voucher: vouchers.CustomerRewards[0],
    vouchers: { count: vouchers.Total ?? 0, until: vouchers.NextExpiry ?? null },
    firstTier: Tiers[0],
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
