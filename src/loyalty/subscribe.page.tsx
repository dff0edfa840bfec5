import { type LoaderFunctionArgs, redirect, useNavigation } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { isoDay } from "#identity/birthday-field.tsx";
import { useCustomer } from "#identity/session.ts";
import { callContext } from "#platform/client.ts";
import { formAction, isRefused } from "#platform/form.ts";
import { useActed, useLoaded } from "#platform/use-loaded.ts";
import { PageTitle } from "#ui/page-title.tsx";
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
} from "./calls.ts";
import { deviceOf } from "./device.ts";
import { EventList } from "./event-list.tsx";
import { HistoryList } from "./history-list.tsx";
import { Joining } from "./joining.tsx";
import { Leaving } from "./leaving.tsx";
import { MemberCard } from "./member-card.tsx";
import { Meters } from "./meters.tsx";
import { RewardList } from "./reward-list.tsx";
import { VoucherList, type VoucherState, voucherStates } from "./voucher-list.tsx";
import { googleParameter, WalletButtons, WalletOnPhone } from "./wallet-buttons.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const call = context.get(callContext);
  const { searchParams } = new URL(request.url);
  if (searchParams.get(googleParameter) === "google") throw redirect((await call(saveToGoogle)).SaveUrl);
  const customer = await call(readLoyalty);
  const programme = await call(readProgramme);
  // Each form carries a key made here, so that a double click or a lost answer cannot act twice.
  const key = crypto.randomUUID();
  if (!customer.LoyaltyCustomerState) {
    // Who has left looks like who never joined, but for the history they have.
    const { Entries } = await call(readHistory, { Limit: 1 });
    return { customer, programme, key, returning: Entries.length > 0, club: undefined };
  }
  const wanted = searchParams.get("state") as VoucherState;
  const state = voucherStates.includes(wanted) ? wanted : "all";
  const cursor = searchParams.get("cursor") ?? undefined;
  const [customerEvents, rewards, myRewards, history, wallets] = await Promise.all([
    call(listEvents),
    call(listRewards),
    call(listCustomerRewards, { LoyaltyRewardState: state }),
    call(readHistory, { Limit: 10, Cursor: cursor }),
    call(readWallets),
  ]);
  return {
    customer,
    programme,
    key,
    returning: false,
    club: {
      customerEvents: customerEvents.Events,
      listRewards: rewards.Rewards,
      myRewards: myRewards.CustomerRewards,
      history,
      state,
      wallets,
      device: deviceOf(request.headers.get("user-agent") ?? globalThis.navigator?.userAgent ?? ""),
    },
  };
}

export const action = formAction(async ({ form, intent, call }) => {
  const options = { idempotencyKey: String(form.get("IdempotencyKey") ?? "") };
  form.delete("IdempotencyKey");
  form.delete("intent");
  switch (intent) {
    case "join": {
      const birthday = form.get("CustomerBirthday");
      if (birthday) form.set("CustomerBirthday", isoDay(String(birthday)));
      form.set("LoyaltyCustomerState", "true");
      const returning = form.has("Returning");
      await call(subscribe, form, options);
      return { ok: true as const, intent: returning ? "return" : intent };
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
      return { ok: true as const, intent, amount: CustomerReward.Value.Amount };
    }
  }
  return { ok: true as const, intent };
});

/** The member's own page, and the door to it for who is not a member yet. */
export function Component() {
  const { customer, programme, key, club, returning } = useLoaded<typeof loader>();
  const acted = useActed<typeof action>();
  const refused = isRefused(acted) ? acted : undefined;
  const { t } = useTexts();
  const person = useCustomer();
  return (
    <>
      <PageTitle title={t("menu.loyalty")} />
      <Celebration />
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
            <Meters customer={customer} rewards={club.listRewards} />
          </div>
          <div className="mt-14 grid gap-x-10 gap-y-14 xl:grid-cols-2">
            <RewardList rewards={club.listRewards} idempotencyKey={key} refused={refused} />
            <EventList events={club.customerEvents} idempotencyKey={key} refused={refused} />
          </div>
          <div className="mt-14 space-y-14">
            <VoucherList vouchers={club.myRewards} state={club.state} firstAt={club.listRewards[0]?.Points ?? 0} />
            <HistoryList history={club.history} />
            <Leaving idempotencyKey={key} refused={refused} />
          </div>
        </>
      ) : (
        <Joining customer={customer} programme={programme} asleep={returning} idempotencyKey={key} refused={refused} />
      )}
    </>
  );
}

/** A quiet word for what has just happened, read out as well. */
function Celebration() {
  const { t, number, money } = useTexts();
  const { programme } = useLoaded<typeof loader>();
  const acted = useActed<typeof action>();
  const settled = useNavigation().state === "idle";
  const text = () => {
    // While the page is being brought up to date, its figures are still the old ones.
    if (!acted?.ok || !settled) return undefined;
    switch (acted.intent) {
      case "join":
        return t("member.joined", { points: number(programme.WelcomePoints) });
      case "return":
        return t("member.returned");
      case "leave":
        return t("member.left");
      case "event":
        return t("member.eventObtained", { points: number(acted.points ?? 0) });
      default:
        return t("member.rewardObtained", { amount: money(acted.amount ?? 0) });
    }
  };
  const said = text();
  return (
    <div role="status" className={said ? "mb-8 bg-linen p-5 font-display text-[1.35rem] leading-snug" : "sr-only"}>
      {said}
    </div>
  );
}
