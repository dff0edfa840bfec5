import { useState } from "react";
import { Link, useOutletContext, useSearchParams } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { WrittenEmail } from "#identity/customer/email/written-email.tsx";
import { joinedParameter, pagePaths } from "#identity/paths.ts";
import { useCustomer } from "#identity/session/browser/session.ts";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";
import { MemberCard } from "#loyalty/card/member-card.tsx";
import { endsSoon } from "#loyalty/ends-soon.ts";
import { PointsProgress, TierUntil } from "#loyalty/member-page/points-progress.tsx";
import { useKeptPoints } from "#loyalty/membership/kept-points.ts";
import { formAction, isRefused } from "#platform/api/client/form.ts";
import { useActed, useLoaded } from "#platform/api/client/use-loaded.ts";
import { later, lazyPart } from "#ui/lazy.tsx";
import { PageTitle } from "#ui/page-title.tsx";

/** Those who have confirmed their address do not need it. It works as the server has rendered it. */
const ConfirmNotice = lazyPart(async () => (await import("#identity/address/confirm-notice.tsx")).ConfirmNotice, {
  when: "shown",
});

/** Only after a clean start of the account. */
const PreviousDetails = lazyPart(async () => (await import("#identity/profile/previous-details.tsx")).PreviousDetails, {
  texts: ["identity", "links"],
  when: "shown",
});

export const loader = later(async () => (await import("./account.data.ts")).loader);
export const action = formAction(later(async () => (await import("./account.data.ts")).act));

/** The account's home: a greeting, the customer's name and address, the card with its points. */
export function Component() {
  const { t } = useTexts();
  const path = useLocalePath();
  const customer = useCustomer();
  const acted = useActed<typeof action>();
  const loaded = useLoaded<typeof loader>();
  const standing = useOutletContext<LoyaltyCustomer | null>();
  const [search] = useSearchParams();
  // The message about joining says what the notice says. It removes the parameter, and stays.
  const [justJoined] = useState(search.has(joinedParameter));
  if (!customer || !loaded) return null;
  const { offered, hasBeenMember, pending, vouchers } = loaded;
  const refused = isRefused(acted) ? acted : undefined;
  const done = acted?.ok ? acted.intent : undefined;
  const gift = standing?.WelcomePoints ?? 0;
  return (
    <>
      <PageTitle title={t("shell.myAccount")} />
      <p className="kicker text-soft">{t("shell.myAccount")}</p>
      <h1 className="mt-3 text-title-lg">{t("account.hello", { name: customer.Firstname })}</h1>
      <p className="mt-2 text-soft">
        {customer.Firstname} {customer.Lastname} · <WrittenEmail email={customer.Email} />
      </p>
      {(offered || done?.endsWith("-details")) && <PreviousDetails details={offered} refused={refused} done={done} />}
      {customer.Lastname === "" && customer.EmailVerified && !offered && (
        <div className="mt-6 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 bg-linen p-5">
          <p className="max-w-[34rem]">{t("account.nameless")}</p>
          <Link className="button small" to={path(pagePaths.informations)}>
            {t("account.namelessLink")}
          </Link>
        </div>
      )}
      {!customer.EmailVerified && !justJoined && (
        <ConfirmNotice guest={customer.Guest} refused={refused} sent={done === "resend"} />
      )}
      {standing?.LoyaltyCustomerState ? (
        <div className="mt-9 grid items-start gap-x-6 gap-y-10 xl:grid-cols-9 xl:gap-x-10">
          <div className="xl:col-span-5">
            <MemberCard
              customer={standing}
              name={`${customer.Firstname} ${customer.Lastname}`}
              actions={
                <Link className="button px-3" to={path(pagePaths.memberPage)}>
                  {t("account.toCard")}
                </Link>
              }
            />
          </div>
          <div className="space-y-6 xl:col-span-4">
            <PointsProgress customer={standing} pending={pending} />
            <TierUntil customer={standing} />
            <VouchersLink {...vouchers} />
          </div>
        </div>
      ) : (
        !customer.Guest && (
          <section className="mt-9 border-ink border-t pt-6">
            <h2 className="text-4xl">{t(hasBeenMember ? "member.formerTitle" : "account.clubTitle")}</h2>
            <p className="mt-3 max-w-[34rem] text-soft">
              {hasBeenMember && standing ? (
                <RestingPoints customer={standing} />
              ) : gift > 0 ? (
                t("account.clubText", { points: gift })
              ) : (
                t("account.clubTextAgain")
              )}
            </p>
            <div className="mt-6 flex flex-wrap items-center gap-x-8 gap-y-2">
              <Link className="button solid" to={path(pagePaths.memberPage)}>
                {t(hasBeenMember ? "member.formerSubmit" : "account.clubLink")}
              </Link>
              <VouchersLink {...vouchers} />
            </div>
          </section>
        )
      )}
    </>
  );
}

/** What waits for a former member, and until when. */
function RestingPoints({ customer }: { customer: LoyaltyCustomer }) {
  const { t, number } = useTexts();
  const count = customer.Points.Available;
  const keptPoints = useKeptPoints(customer);
  return `${t("member.formerText", { count, formatted: number(count) })} ${keptPoints}`;
}

/** How many vouchers can be used, also by a customer who has left the club, and that one ends soon; leads to them. */
function VouchersLink({ count, until }: { count: number; until: string | null }) {
  const { t, date } = useTexts();
  const path = useLocalePath();
  if (count === 0) return null;
  return (
    <Link className="inline-flex min-h-11 items-center" to={path(`${pagePaths.memberPage}?state=available#vouchers`)}>
      <span className="underlined">
        {until && endsSoon(until)
          ? t("member.soonVouchers", { count, date: date(until) })
          : t("account.vouchers", { count })}
      </span>
    </Link>
  );
}
