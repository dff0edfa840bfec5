import type { LoaderFunctionArgs } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { readProgramme } from "#loyalty/calls.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import { useLoaded } from "#platform/api/client/use-loaded.ts";
import { Drape } from "#ui/fabric/drape.tsx";
import { PageTitle } from "#ui/page-title.tsx";
import { JoinLinks, maybeStanding, useReturnText } from "./join-links.tsx";
import { TierTiles } from "./tier-tiles.tsx";
import { useWelcomeGift } from "./use-welcome-gift.ts";

export async function loader(args: LoaderFunctionArgs) {
  const [programme, standing] = await Promise.all([args.context.get(callContext)(readProgramme), maybeStanding(args)]);
  return { programme, standing };
}

/** The programme's public page. */
export function Component() {
  const { programme, standing } = useLoaded<typeof loader>();
  const { t, number, money } = useTexts();
  const returnText = useReturnText(standing);
  const gift = useWelcomeGift(programme);
  const points = (count: number) => t("card.pointsCount", { count, formatted: number(count) });
  return (
    <main id="content" className="one-sheet">
      <PageTitle title={t("loyalty.title")} description={t("loyalty.description")} />
      <div className="grid lg:min-h-[32rem] lg:grid-cols-2">
        <div className="beside-picture flex flex-col justify-center py-14 lg:py-20 lg:pr-12">
          <p className="kicker text-soft">{t("loyalty.kicker")}</p>
          <h1 className="mt-6 text-hero">
            {t("loyalty.headline1", gift)}
            <br />
            <em>{t("loyalty.headline2")}</em>
          </h1>
          <p className="mt-6 max-w-[30rem] text-xl text-soft leading-[1.6]">{returnText ?? t("loyalty.lead", gift)}</p>
          <JoinLinks returning={returnText !== undefined} />
        </div>
        <div className="relative isolate min-h-[16rem] print:hidden">
          <Drape name="cotton-hero" own="tile-1" first />
        </div>
      </div>

      <section className="wrap pt-20 lg:pt-28">
        <h2 className="text-title-lg">
          {t("home.tiers1", { count: programme.Tiers.length })}{" "}
          <em>{t("home.tiers2", { count: programme.Tiers.length })}</em>
        </h2>
        <p className="mt-4 max-w-[38rem] text-soft">{t("loyalty.tiersText", { months: programme.TierMonths })}</p>
        <TierTiles programme={programme} />
      </section>

      <div className="wrap grid grid-cols-1 gap-x-16 gap-y-16 py-20 lg:grid-cols-2 print:grid-cols-2">
        <section>
          <h2 className="text-heading">{t("loyalty.events")}</h2>
          <p className="mt-4 text-soft">
            {t("loyalty.eventsText", { points: programme.PointsPerEuro, days: programme.PendingDays })}
          </p>
          <ul className="mt-6 border-ink border-t">
            {programme.Events.map((event) => (
              <li
                key={event.IdLoyaltyProgramEvent}
                className="flex items-baseline justify-between gap-6 border-line border-b py-4"
              >
                <div className="min-w-0">
                  <h3 className="font-sans text-base tracking-normal leading-normal">{event.Name}</h3>
                  <p className="text-sm text-soft">{event.Description}</p>
                </div>
                <p className="tabular-nums shrink-0 text-right">
                  +{number(event.Points)}
                  {event.Frequency === "yearly" && (
                    <span className="block text-xs text-soft">{t("loyalty.yearly")}</span>
                  )}
                </p>
              </li>
            ))}
            {programme.Referral && (
              <li className="flex items-baseline justify-between gap-6 border-line border-b py-4">
                <div className="min-w-0">
                  <h3 className="font-sans text-base tracking-normal leading-normal">{t("loyalty.referral")}</h3>
                  <p className="text-sm text-soft">
                    {t("loyalty.referralText", {
                      days: programme.Referral.Days,
                      count: programme.Referral.PerYear,
                      minimum: money(programme.Referral.Minimum.Amount),
                    })}
                  </p>
                </div>
                <p className="tabular-nums shrink-0 text-right">+{number(programme.Referral.Points)}</p>
              </li>
            )}
          </ul>
        </section>
        <section>
          <h2 className="text-heading">{t("loyalty.rewards")}</h2>
          <p className="mt-4 text-soft">{t("loyalty.rewardsText")}</p>
          <ul className="mt-6 border-ink border-t">
            {programme.Rewards.map((reward) => (
              <li
                key={reward.IdLoyaltyReward}
                className="flex flex-wrap items-baseline justify-between gap-x-6 border-line border-b py-4"
              >
                <span className="font-display text-4xl leading-none">{money(reward.Value.Amount)}</span>
                <span className="tabular-nums text-soft">{points(reward.Points)}</span>
              </li>
            ))}
          </ul>
          <p className="mt-6 text-sm text-soft">{t("loyalty.expiry", { months: programme.PointsValidMonths })}</p>
        </section>
      </div>
    </main>
  );
}
