import { type LoaderFunctionArgs, redirect, useNavigation } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { resendVerification } from "#identity/calls.ts";
import { BirthdayField, isoDay } from "#identity/fields/birthday-field.tsx";
import { pagePaths } from "#identity/paths.ts";
import { sessionEnded, useCustomer } from "#identity/session/session.ts";
import {
  listCustomerRewards,
  listEvents,
  listRewards,
  obtainEvent,
  obtainReward,
  readHistory,
  readLoyalty,
  readProgramme,
  readWallets,
  saveToGoogle,
  subscribe,
  unsubscribe,
} from "#loyalty/calls.ts";
import { MemberCard } from "#loyalty/card/member-card.tsx";
import { EventList } from "#loyalty/events/event-list.tsx";
import { JoinForm } from "#loyalty/membership/join-form.tsx";
import { LeaveForm } from "#loyalty/membership/leave-form.tsx";
import { obtainedFragment, obtainedParameter, RewardList } from "#loyalty/rewards/reward-list.tsx";
import { VoucherList } from "#loyalty/rewards/voucher-list.tsx";
import { type VoucherFilter, voucherFilters } from "#loyalty/rewards/voucher-states.ts";
import { googleParameter, WalletButtons, WalletOnPhone } from "#loyalty/wallet/wallet-buttons.tsx";
import { deviceOf } from "#loyalty/wallet/wallet-device.ts";
import { CallFailed, callContext, forCustomerField } from "#platform/api/client.ts";
import { formAction, isRefused, type Refused } from "#platform/api/form.ts";
import { useActed, useLoaded } from "#platform/api/use-loaded.ts";
import type { RefusalCode } from "#platform/refusal.ts";
import { RefusedText, Submit } from "#ui/form.tsx";
import { IdempotentForm } from "#ui/idempotent-form.tsx";
import { PageTitle } from "#ui/page-title.tsx";
import { HistoryList } from "./history-list.tsx";
import { PointsProgress } from "./points-progress.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  if (sessionEnded(context)) return null;
  const call = context.get(callContext);
  const { searchParams } = new URL(request.url);
  const forCustomer = searchParams.get(forCustomerField) ?? undefined;
  const walletWanted = searchParams.get(googleParameter) === "google";
  if (walletWanted) {
    const wallet = await unlessRefused(call(saveToGoogle, {}, { forCustomer }), "not_a_member");
    if (wallet) throw redirect(wallet.SaveUrl);
  }
  const wanted = searchParams.get("state") as VoucherFilter;
  const filter = voucherFilters.includes(wanted) ? wanted : "all";
  const cursor = searchParams.get("cursor");
  // All at once, though only a member needs all: on the server they are one round trip to the database.
  const [customer, programme, customerEvents, rewards, myRewards, newest, older, wallets] = await Promise.all([
    call(readLoyalty),
    call(readProgramme),
    call(listEvents),
    call(listRewards),
    call(listCustomerRewards, { LoyaltyRewardState: filter }),
    call(readHistory, { Limit: 10 }),
    // An invalid cursor shows the newest entries, like none.
    cursor ? unlessRefused(call(readHistory, { Limit: 10, Cursor: cursor }), "invalid") : undefined,
    call(readWallets),
  ]);
  // Each form carries an idempotency key made here, so that a double click or a lost response cannot act twice.
  const key = crypto.randomUUID();
  if (!customer.LoyaltyCustomerState) {
    // Only the history tells a customer who has left from one who never joined.
    return { customer, programme, key, returning: newest.Entries.length > 0, walletWanted, club: undefined };
  }
  const obtainedId = Number(searchParams.get(obtainedParameter));
  const { IdLoyaltyHistory = 0 } = newest.Entries[0] ?? {};
  return {
    customer,
    programme,
    key,
    returning: false,
    walletWanted: false,
    club: {
      // The key names the newest entry shown, so a second tab, a page restored from the bfcache or a form sent again
      // obtains no second voucher before the page has shown the first.
      rewardKey: `seen-${IdLoyaltyHistory}`,
      obtained: myRewards.CustomerRewards.find(
        (voucher) => voucher.IdCustomerReward === obtainedId && voucher.LoyaltyRewardState === "available",
      ),
      customerEvents: customerEvents.Events,
      listRewards: rewards.Rewards,
      myRewards: myRewards.CustomerRewards,
      history: older ?? newest,
      older: older !== undefined,
      filter,
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

export const action = formAction(async ({ form, intent, call, go }) => {
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
    case "resend":
      await call(resendVerification);
      break;
  }
  return { ok: true as const, intent };
});

/** The member page; for a customer who is not a member, the form to join. */
export function Component() {
  const loaded = useLoaded<typeof loader>();
  const acted = useActed<typeof action>();
  const refused = isRefused(acted) ? acted : undefined;
  const { t } = useTexts();
  const person = useCustomer();
  if (!loaded) return <JoinFormAfterSession refused={refused} />;
  const { customer, programme, key, club, returning, walletWanted } = loaded;
  return (
    <>
      <PageTitle title={t("menu.loyalty")} />
      <StatusMessage />
      {club && customer.Card && customer.Tier ? (
        <>
          <h1 className="text-[clamp(2.25rem,5vw,3.25rem)]">{t("menu.loyalty")}</h1>
          <div className="mt-8 grid items-start gap-x-10 gap-y-10 xl:grid-cols-2">
            <div>
              <MemberCard
                customer={customer}
                name={person ? `${person.Firstname} ${person.Lastname}` : ""}
                actions={<WalletButtons wallets={club.wallets} device={club.device} />}
              />
              {club.device === "desk" && (club.wallets.Google || club.wallets.Apple) && (
                <WalletOnPhone wallets={club.wallets} />
              )}
            </div>
            <PointsProgress customer={customer} rewards={club.listRewards} />
          </div>
          <div className="mt-14 grid gap-x-10 gap-y-14 xl:grid-cols-2">
            <RewardList
              rewards={club.listRewards}
              idempotencyKey={club.rewardKey}
              refused={refused}
              obtained={club.obtained}
              resent={acted?.ok === true && acted.intent === "resend"}
            />
            <EventList events={club.customerEvents} idempotencyKey={key} refused={refused} />
          </div>
          <div className="mt-14 space-y-14">
            <VoucherList vouchers={club.myRewards} filter={club.filter} lowestCost={club.listRewards[0]?.Points ?? 0} />
            <HistoryList history={club.history} older={club.older} />
            <LeaveForm idempotencyKey={key} refused={refused} />
          </div>
        </>
      ) : (
        <>
          {/* The customer left the club in another tab: the refused form is gone from the page, its refusal is shown. */}
          {refused && refused.intent !== "join" && <RefusedText refused={refused} className="mb-8" />}
          <JoinForm
            customer={customer}
            programme={programme}
            returning={returning}
            walletWanted={walletWanted}
            idempotencyKey={key}
            refused={refused}
          />
        </>
      )}
    </>
  );
}

/** The session ended before the form was sent: it keeps the typed birthday, and the account layout's notice asks to sign in. */
function JoinFormAfterSession({ refused }: { refused: Refused | undefined }) {
  const { t } = useTexts();
  const key = refused?.values["IdempotencyKey"]?.split(".")[0] ?? "";
  return (
    <>
      <PageTitle title={t("menu.loyalty")} />
      <h1 className="text-[clamp(2.25rem,5vw,3.25rem)]">{t("menu.loyalty")}</h1>
      {refused?.values["CustomerBirthday"] && (
        <div className="mt-8 max-w-[27.5rem]">
          <IdempotentForm intent="join" idempotencyKey={key} refused={refused}>
            <BirthdayField name="CustomerBirthday" />
            <Submit>{t("account.clubLink")}</Submit>
          </IdempotentForm>
        </div>
      )}
    </>
  );
}

/** What the last action did, also read out by a screen reader. */
function StatusMessage() {
  const { t, number } = useTexts();
  const acted = useActed<typeof action>();
  const settled = useNavigation().state === "idle";
  const text = () => {
    // While the page revalidates, its numbers are still the old ones.
    if (!acted?.ok || !settled) return undefined;
    switch (acted.intent) {
      case "join":
        return acted.points ? t("member.joined", { points: number(acted.points) }) : t("member.joinedAgain");
      case "return":
        return t("member.returned");
      case "leave":
        return t("member.left");
      case "event":
        return t("member.eventObtained", { points: number(acted.points ?? 0) });
      default:
        return undefined;
    }
  };
  const message = text();
  return (
    <div role="status" className={message ? "mb-8 bg-linen p-5 font-display text-[1.35rem] leading-snug" : "sr-only"}>
      {message}
    </div>
  );
}
