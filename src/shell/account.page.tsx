import { useState } from "react";
import { Link, useOutletContext, useSearchParams } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { WrittenEmail } from "#identity/customer/email/written-email.tsx";
import { joinedParameter, openParameter, pagePaths } from "#identity/paths.ts";
import { useCustomer } from "#identity/session/browser/session.ts";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";
import { MemberCard } from "#loyalty/card/member-card.tsx";
import { formAction, isRefused } from "#platform/api/client/form.ts";
import { useActed, useLoaded } from "#platform/api/client/use-loaded.ts";
import { Drape } from "#ui/fabric/drape.tsx";
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

/** What to do next, and what happened last. It works as the server has rendered it. */
const AccountTiles = lazyPart(async () => (await import("./account-tiles.tsx")).AccountTiles, { texts: ["tiles"] });

/** For those who are no members. */
const FadedCard = lazyPart(async () => (await import("#loyalty/card/sample-card.tsx")).FadedCard, { when: "shown" });

/** The account's home: picture, greeting and card; beside them one next step, and what concerns the customer. */
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
  const { offered } = loaded;
  const refused = isRefused(acted) ? acted : undefined;
  const done = acted?.ok ? acted.intent : undefined;
  const name = `${customer.Firstname} ${customer.Lastname}`;
  return (
    <>
      <PageTitle title={t("shell.myAccount")} />
      <div className="grid grid-cols-1 items-start gap-x-6 gap-y-8 md:grid-cols-2 xl:grid-cols-9 xl:gap-x-10">
        <div className="xl:col-span-5">
          {/* The card lies over the foot of the picture. */}
          <div className="account-picture relative isolate px-5 pt-6 sm:px-7">
            <Drape name="silk-tile" still={3} first />
            <p className="kicker">{t("shell.myAccount")}</p>
            <h1 className="mt-3 text-title">{t("account.hello", { name: customer.Firstname })}</h1>
            <p className="mt-2 text-sm">
              {name} · <WrittenEmail email={customer.Email} />
            </p>
          </div>
          <div className="-mt-28 relative mx-5 sm:mx-7 print:mt-4">
            {standing?.LoyaltyCustomerState ? (
              <MemberCard
                customer={standing}
                name={name}
                actions={
                  <Link className="button" to={path(pagePaths.memberPage)}>
                    {t("account.toCard")}
                  </Link>
                }
              />
            ) : (
              <FadedCard name={name} tier={loaded.firstTier} />
            )}
          </div>
        </div>
        <div className="space-y-8 xl:col-span-4">
          {(offered || done?.endsWith("-details")) && (
            <PreviousDetails details={offered} refused={refused} done={done} />
          )}
          {customer.Lastname === "" && customer.EmailVerified && !offered && (
            <div className="space-y-4 bg-linen p-5">
              <p>{t("account.nameless")}</p>
              <Link className="button small" to={path(`${pagePaths.informations}?${openParameter}=profile`)}>
                {t("account.namelessLink")}
              </Link>
            </div>
          )}
          {!customer.EmailVerified && !justJoined && (
            <ConfirmNotice guest={customer.Guest} refused={refused} sent={done === "resend"} />
          )}
          <AccountTiles loaded={loaded} standing={standing} guest={customer.Guest} />
        </div>
      </div>
    </>
  );
}
