import { Link, useNavigation, useSearchParams } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { useCustomer } from "#identity/session/browser/session.ts";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";
import { CodesContext } from "#loyalty/card/codes.ts";
import { MemberCard } from "#loyalty/card/member-card.tsx";
import { type MemberTab, memberTabs, tabOf, tabParameter } from "#loyalty/member-tabs.ts";
import { WalletButtons, WalletOnPhone } from "#loyalty/wallet/device/wallet-buttons.tsx";
import { formAction, isRefused } from "#platform/api/client/form.ts";
import { useActed, useLoaded } from "#platform/api/client/use-loaded.ts";
import { RefusedText } from "#ui/form/page-form.tsx";
import { later, lazyPart } from "#ui/lazy.tsx";
import { PageTitle } from "#ui/page-title.tsx";
import { StatusMessage } from "#ui/status-message.tsx";
import type { Claimed } from "./receipt-form.tsx";

/** What is below the card, and the other tabs, work without script. */
const ClubSections = lazyPart(async () => (await import("./club-sections.tsx")).ClubSections, { texts: ["club"] });

/** They are words alone. */
const PointsProgress = lazyPart(async () => (await import("./points-progress.tsx")).PointsProgress);
const TierUntil = lazyPart(async () => (await import("./points-progress.tsx")).TierUntil);

/** Members do not need it. It works as the server has rendered it, and its code comes with the texts of its fields. */
const JoinForm = lazyPart(async () => (await import("#loyalty/membership/join-form.tsx")).JoinForm, {
  texts: ["identity", "later"],
  when: "shown",
});
const JoinFormAfterSession = lazyPart(
  async () => (await import("#loyalty/membership/join-form.tsx")).JoinFormAfterSession,
  { texts: ["identity"], when: "shown" },
);

/** For a guest, who cannot join before the account is theirs. */
const ConfirmNotice = lazyPart(async () => (await import("#identity/address/confirm-notice.tsx")).ConfirmNotice, {
  when: "shown",
});

/** At the first visit of a customer whose club has moved here. */
const MovedNotice = lazyPart(async () => (await import("#loyalty/moved/moved-notice.tsx")).MovedNotice, {
  texts: ["links"],
  when: "shown",
});

/** For a customer who has left: vouchers stay valid. */
const VoucherList = lazyPart(async () => (await import("#loyalty/rewards/voucher-list.tsx")).VoucherList, {
  texts: ["club"],
  when: "shown",
});

export const loader = later(async () => (await import("./subscribe.data.ts")).loader);
export const action = formAction(later(async () => (await import("./subscribe.data.ts")).act));

/** The member page; for a customer who is not a member, the form to join. */
export function Component() {
  const loaded = useLoaded<typeof loader>();
  const acted = useActed<typeof action>();
  const refused = isRefused(acted) ? acted : undefined;
  const outcome = useOutcome();
  const { t } = useTexts();
  const person = useCustomer();
  const tab = tabOf(useSearchParams()[0], acted?.intent);
  if (!loaded) return <JoinFormAfterSession refused={refused} />;
  if (person?.Guest)
    return (
      <>
        <PageTitle title={t("menu.loyalty")} />
        <h1 className="text-title">{t("menu.loyalty")}</h1>
        <ConfirmNotice guest refused={refused} sent={acted?.ok === true} />
      </>
    );
  const { customer, programme, key, club, vouchers, returning, walletWanted } = loaded;
  const name = person ? `${person.Firstname} ${person.Lastname}` : "";
  return (
    <CodesContext value={{ name, card: customer.Card, vouchers: vouchers.vouchers }}>
      <PageTitle title={t("menu.loyalty")} />
      <StatusMessage message={outcome.message} moment={acted?.ok ? acted.intent : undefined} />
      {club && customer.Card && customer.Tier ? (
        <>
          <h1 className="text-title-lg">{t("menu.loyalty")}</h1>
          <Tabs tab={tab} />
          {tab === "card" ? (
            <>
              {club.notice && <MovedNotice moved={club.notice} refused={refused} />}
              <TierUntil customer={customer} />
              <div className="mt-6 grid grid-cols-1 items-start gap-x-6 gap-y-10 md:grid-cols-2 xl:grid-cols-9 xl:gap-x-10 print:grid-cols-2">
                <div className="xl:col-span-5 print:col-span-1">
                  <MemberCard
                    customer={customer}
                    name={name}
                    actions={<WalletButtons wallets={club.wallets} device={club.device} />}
                  />
                </div>
                <div className="xl:col-span-4 print:col-span-1">
                  <PointsProgress customer={customer} rewards={club.listRewards} pending={club.pending} />
                  {club.device === "desk" && (club.wallets.Google || club.wallets.Apple) && (
                    <WalletOnPhone wallets={club.wallets} />
                  )}
                </div>
              </div>
            </>
          ) : (
            <Standing customer={customer} />
          )}
          <ClubSections
            tab={tab}
            club={club}
            customer={customer}
            programme={programme}
            vouchers={vouchers}
            idempotencyKey={key}
            refused={refused}
            resent={acted?.ok === true && acted.intent === "resend"}
            claimed={outcome.claimed}
            tillCode={acted?.ok === true && "tillCode" in acted ? acted.tillCode : undefined}
            received={outcome.received}
          />
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
          {returning && (vouchers.pages > 0 || vouchers.filter !== "all") && (
            <div className="mt-14">
              <VoucherList {...vouchers} lowestCost={programme.Rewards[0]?.Points ?? 0} available={0} />
            </div>
          )}
        </>
      )}
    </CodesContext>
  );
}

/** The page's parts as links, which need no script. */
function Tabs({ tab }: { tab: MemberTab }) {
  const { t } = useTexts();
  return (
    <nav aria-label={t("menu.loyalty")} className="tabs page-tabs">
      {memberTabs.map((name) => (
        <Link
          key={name}
          to={`?${tabParameter}=${name}`}
          preventScrollReset
          aria-current={name === tab ? "true" : undefined}
        >
          {t(`member.tab.${name}`)}
        </Link>
      ))}
    </nav>
  );
}

/** Status and points in one line, where the card is not shown. */
function Standing({ customer: { Tier, Points } }: { customer: LoyaltyCustomer }) {
  const { t, number } = useTexts();
  if (!Tier) return null;
  return (
    <p className="mt-6 flex items-baseline gap-4">
      <span className="grow">{Tier.Name}</span>
      <span>
        <span className="card-points inline-block font-display text-4xl leading-none">{number(Points.Available)}</span>{" "}
        <span className="text-soft">{t("card.points", { count: Points.Available })}</span>
      </span>
    </p>
  );
}

/** What the last action did: a message for the top of the page, or what an event or a receipt brought, which is told beside it. */
function useOutcome(): { message?: string; received?: number; claimed?: Claimed } {
  const { t, number } = useTexts();
  const acted = useActed<typeof action>();
  const settled = useNavigation().state === "idle";
  // While the page revalidates, its numbers are still the old ones.
  if (!acted?.ok || !settled) return {};
  switch (acted.intent) {
    case "join":
      return {
        message: acted.points ? t("member.joined", { points: number(acted.points) }) : t("member.joinedAgain"),
      };
    case "return":
      return { message: t("member.returned") };
    case "leave":
      return { message: t("member.left") };
    case "event":
      return { received: acted.points ?? 0 };
    case "receipt":
      return "claimed" in acted && acted.claimed ? { claimed: acted.claimed } : {};
    default:
      return {};
  }
}
