import { type LoaderFunctionArgs, redirect } from "react-router";
import { resendVerification } from "#identity/calls.ts";
import { isoDay } from "#identity/fields/iso-day.ts";
import { pagePaths } from "#identity/paths.ts";
import { sessionEnded } from "#identity/session/browser/session.ts";
import {
  claimReceipt,
  closeMoved,
  createTillCode,
  listCustomerRewards,
  listEvents,
  listRewards,
  obtainEvent,
  obtainReward,
  readHistory,
  readLoyalty,
  readMoved,
  readProgramme,
  readWallets,
  reportMissing,
  saveToGoogle,
  subscribe,
  unsubscribe,
} from "#loyalty/calls.ts";
import {
  movedParameter,
  obtainedFragment,
  obtainedParameter,
  receiptParameter,
  walletParameter,
} from "#loyalty/paths.ts";
import { type VoucherFilter, voucherFilters } from "#loyalty/rewards/voucher-states.ts";
import { deviceOf } from "#loyalty/wallet/device/wallet-device.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import { CallFailed, forCustomerField } from "#platform/api/client/client.ts";
import type { Submission } from "#platform/api/client/form.ts";
import type { RefusalCode } from "#platform/refusal.ts";

const vouchersPerPage = 10;
const movedPerPage = 10;

export async function loader({ request, context }: LoaderFunctionArgs) {
  if (sessionEnded(context)) return null;
  const call = context.get(callContext);
  const { searchParams } = new URL(request.url);
  const forCustomer = searchParams.get(forCustomerField) ?? undefined;
  const walletWanted = searchParams.get(walletParameter) === "google";
  if (walletWanted) {
    const wallet = await unlessRefused(call(saveToGoogle, {}, { forCustomer }), "not_a_member");
    if (wallet) throw redirect(wallet.SaveUrl);
  }
  const wanted = searchParams.get("state") as VoucherFilter;
  const filter = voucherFilters.includes(wanted) ? wanted : "all";
  const cursor = searchParams.get("cursor");
  const after = searchParams.get("after");
  const pageOf = (name: string) => Math.min(Math.max(Math.trunc(Number(searchParams.get(name))) || 1, 1), 10_000);
  const voucherPage = pageOf("vouchers");
  const movedPage = pageOf(movedParameter);
  const obtainedId = searchParams.get(obtainedParameter) ?? "";
  // All at once, though only a member needs all: on the server they are one round trip to the database.
  const [customer, programme, customerEvents, rewards, myRewards, obtained, newest, older, wallets, { Moved }] =
    await Promise.all([
      call(readLoyalty),
      call(readProgramme),
      call(listEvents),
      call(listRewards),
      call(listCustomerRewards, {
        LoyaltyRewardState: filter,
        Limit: vouchersPerPage,
        Offset: (voucherPage - 1) * vouchersPerPage,
      }),
      /^\d{1,9}$/.test(obtainedId)
        ? unlessRefused(
            call(listCustomerRewards, { LoyaltyRewardState: "available", IdCustomerReward: obtainedId }),
            "not_found",
          )
        : undefined,
      call(readHistory, { Limit: 10 }),
      // An invalid cursor shows the newest entries, like none.
      cursor || after
        ? unlessRefused(
            call(readHistory, { Limit: 10, ...(after ? { After: after } : { Cursor: cursor ?? "" }) }),
            "invalid",
          )
        : undefined,
      call(readWallets),
      call(readMoved, { Limit: movedPerPage, Offset: (movedPage - 1) * movedPerPage }),
    ]);
  // Each form carries an idempotency key made here, so that a double click or a lost response cannot act twice.
  const key = crypto.randomUUID();
  const vouchers = {
    vouchers: myRewards.CustomerRewards,
    filter,
    page: voucherPage,
    pages: Math.ceil((myRewards.Total ?? 0) / vouchersPerPage),
  };
  if (!customer.LoyaltyCustomerState) {
    // Only the history tells a customer who has left from one who never joined.
    const returning = newest.Entries.length > 0;
    return { customer, programme, key, returning, walletWanted, vouchers, club: undefined };
  }
  const { IdLoyaltyHistory = 0 } = newest.Entries[0] ?? {};
  return {
    customer,
    programme,
    key,
    returning: false,
    walletWanted: false,
    vouchers,
    club: {
      // The key names the newest entry shown, so a second tab, a page restored from the bfcache or a form sent again
      // obtains no second voucher before the page has shown the first.
      rewardKey: `seen-${IdLoyaltyHistory}`,
      obtained: obtained?.CustomerRewards[0],
      customerEvents: customerEvents.Events,
      listRewards: rewards.Rewards,
      myRewards: myRewards.CustomerRewards,
      // Going forward as far as the newest entries shows their whole page.
      history: older?.PreviousCursor ? older : newest,
      pending: newest.Pending,
      notice: Moved && !Moved.Closed ? Moved : null,
      moved: Moved,
      movedPage,
      movedPages: Math.ceil((Moved?.Total ?? 0) / movedPerPage),
      receipt: searchParams.get(receiptParameter)?.slice(0, 32) ?? "",
      wallets,
      device: deviceOf(request.headers.get("user-agent") ?? globalThis.navigator?.userAgent ?? ""),
    },
  };
}

/** The result of a call, or undefined when it was refused with this code; any other failure is thrown. */
async function unlessRefused<T>(result: Promise<T>, code: RefusalCode): Promise<T | undefined> {
  return result.catch((error: unknown) => {
    if (error instanceof CallFailed && error.problem?.code === code) return undefined;
    throw error;
  });
}

export async function act({ form, intent, call, go }: Submission) {
  const options = { idempotencyKey: String(form.get("IdempotencyKey") ?? "") };
  form.delete("IdempotencyKey");
  form.delete("intent");
  switch (intent) {
    case "join": {
      const birthday = form.get("CustomerBirthday");
      if (birthday) form.set("CustomerBirthday", isoDay(String(birthday)));
      form.set("LoyaltyCustomerState", "true");
      const returning = form.has("Returning");
      const { Points } = await call(subscribe, form, options);
      // A new account is empty, so its points are the welcome gift, or none if that was given before.
      return { ok: true as const, intent: returning ? "return" : intent, points: Points.Available };
    }
    case "leave":
      await call(unsubscribe, form, options);
      break;
    case "event": {
      const { Event } = await call(obtainEvent, form, options);
      return { ok: true as const, intent, points: Event.Points };
    }
    case "reward": {
      const { CustomerReward } = await call(obtainReward, form, options);
      // Post/redirect/get: reloading the page sends no form again.
      return go(`${pagePaths.memberPage}?${obtainedParameter}=${CustomerReward.IdCustomerReward}#${obtainedFragment}`);
    }
    case "receipt": {
      const { Points, Waiting } = await call(claimReceipt, form);
      const claimed = { points: Points.Earned, arrivesAt: Points.ArrivesAt, waiting: Waiting === true };
      return { ok: true as const, intent, claimed };
    }
    case "tillCode": {
      const { Code, ExpiresAt } = await call(createTillCode, form);
      return { ok: true as const, intent, tillCode: { code: Code, expiresAt: ExpiresAt } };
    }
    case "closeMoved":
      await call(closeMoved);
      break;
    case "missing":
      await call(reportMissing, form);
      break;
    case "resend":
      await call(resendVerification);
      break;
  }
  return { ok: true as const, intent };
}
