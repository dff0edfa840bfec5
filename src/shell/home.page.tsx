import { Link, type LoaderFunctionArgs, useSearchParams } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { erasedParameter, pagePaths, registerToJoinPath } from "#identity/paths.ts";
import { useCustomer } from "#identity/session/browser/session.ts";
import { readProgramme } from "#loyalty/calls.ts";
import { Barcode } from "#loyalty/card/barcode.tsx";
import { LoyaltyCard } from "#loyalty/card/card.tsx";
import { SampleCard } from "#loyalty/card/sample-card.tsx";
import { clubPath } from "#loyalty/paths.ts";
import { JoinLinks, maybeStanding, useReturnText } from "#loyalty/programme/join-links.tsx";
import { RateRows, TierTiles } from "#loyalty/programme/tier-tiles.tsx";
import { useWelcomeGift } from "#loyalty/programme/use-welcome-gift.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import { useLoaded } from "#platform/api/client/use-loaded.ts";
import { Drape } from "#ui/fabric/drape.tsx";
import { PageTitle } from "#ui/page-title.tsx";

export async function loader(args: LoaderFunctionArgs) {
  const [programme, standing] = await Promise.all([args.context.get(callContext)(readProgramme), maybeStanding(args)]);
  return { programme, standing };
}

export { logoutAction as action } from "#identity/sign-out/sign-out-without-script.ts";

export function Component() {
  const { programme, standing } = useLoaded<typeof loader>();
  const { t, number, money } = useTexts();
  const path = useLocalePath();
  const customer = useCustomer();
  const returnText = useReturnText(standing);
  const [search] = useSearchParams();
  const first = programme.Rewards[0];
  const amounts = { points: number(first?.Points ?? 0), amount: money(first?.Value.Amount ?? 0) };
  const welcome = useWelcomeGift(programme);
  const steps = [
    [t("home.step1"), t("home.step1Text", welcome)],
    [t("home.step2"), t("home.step2Text", { points: programme.PointsPerEuro })],
    ...(first ? [[t("home.step3"), t("home.step3Text", amounts)]] : []),
  ];
  const best = programme.Tiers.at(-1);
  // A member reads what concerns them, not how to join.
  const member = customer && standing?.Tier ? standing : undefined;
  const points = member?.Points.Available ?? 0;
  return (
    <main id="content">
      <PageTitle
        title={t("home.title")}
        description={t("home.description", { ...welcome, tiers: programme.Tiers.length })}
      />
      {search.has(erasedParameter) && !customer && (
        <p
          ref={focusOnce}
          tabIndex={-1}
          className="text-balance bg-linen p-5 text-center font-display text-xl leading-snug"
        >
          {t("home.erased")}
        </p>
      )}
      <div className="grid grid-cols-1 lg:min-h-[41rem] lg:grid-cols-2">
        <div className="beside-picture flex flex-col justify-center py-14 lg:py-20 lg:pr-12">
          <p className="kicker text-soft">{member?.Tier?.Name ?? t("home.kicker")}</p>
          <h1 className="mt-7 text-hero-lg">
            {member ? `${customer?.Firstname},` : t("home.headline1")}
            <br />
            <em>
              {member ? t("card.pointsCount", { count: points, formatted: number(points) }) : t("home.headline2")}
            </em>
          </h1>
          <p className="mt-7 max-w-[29.5rem] text-xl text-soft leading-[1.6]">
            {member ? t("home.leadMember") : (returnText ?? t("home.lead", welcome))}
          </p>
          <JoinLinks returning={returnText !== undefined} />
        </div>
        <div className="relative isolate flex min-h-[24rem] items-center justify-center overflow-hidden px-8 py-14">
          <Drape name="silk-hero" first />
          <div className="w-full max-w-[28rem] -rotate-7">
            {customer && standing?.Card && standing.Tier ? (
              <LoyaltyCard
                rank={standing.Tier.Rank}
                tier={standing.Tier.Name}
                points={standing.Points.Available}
                name={`${customer.Firstname} ${customer.Lastname}`}
                code={{ number: standing.Card.Number, bars: <Barcode svg={standing.Card.BarcodeSvg} /> }}
              />
            ) : (
              best && <SampleCard rank={best.Rank} tier={best.Name} />
            )}
          </div>
        </div>
      </div>

      <div className="border-line border-t">
        <section className="wrap grid items-center gap-x-6 gap-y-12 py-20 lg:grid-cols-2 lg:py-28">
          <div className="lg:pr-24">
            <h2 className="text-hero">
              {t("home.rate1", { points: programme.PointsPerEuro })} <em>{t("home.rate2")}</em>
            </h2>
            <p className="mt-6 max-w-[21rem] text-xl text-soft leading-[1.5]">
              {t("home.rateText", { ...amounts, rewards: programme.Rewards.length })}
            </p>
          </div>
          <RateRows programme={programme} />
        </section>
      </div>

      {!member && (
        <div className="border-line border-y">
          <ol className="wrap grid grid-cols-1 gap-x-6 gap-y-9 py-11 lg:grid-cols-3">
            {steps.map(([title, text], index) => (
              <li key={title} className="flex gap-6">
                <span
                  aria-hidden="true"
                  className="w-4 shrink-0 font-display text-4xl text-ornament italic leading-none"
                >
                  {index + 1}
                </span>
                <div className="min-w-0">
                  <h2 className="text-4xl">{title}</h2>
                  <p className="mt-2 max-w-[20rem] text-md text-soft">{text}</p>
                </div>
              </li>
            ))}
          </ol>
        </div>
      )}

      <section className="wrap py-20 lg:py-28">
        <div className="flex flex-wrap items-end justify-between gap-x-16 gap-y-4">
          <h2 className="text-title-lg">
            {t("home.tiers1", { count: programme.Tiers.length })}{" "}
            <em>{t("home.tiers2", { count: programme.Tiers.length })}</em>
          </h2>
          <p className="max-w-[26rem] text-md text-soft">{t("loyalty.tiersText", { months: programme.TierMonths })}</p>
        </div>
        <TierTiles programme={programme} />
        <Link className="mt-10 inline-flex min-h-11 items-center" to={path(clubPath)}>
          <span className="underlined">{t("home.everything")}</span>
        </Link>
      </section>

      {!customer?.LoyaltySubscribe && (
        <div className="light-scheme relative isolate overflow-hidden text-paper">
          <Drape name="cashmere-wide" />
          <div className="drape-shade" />
          <div className="wrap py-20 lg:py-32">
            <h2 className="text-hero-lg">
              {t("home.last1")} <em>{t("home.last2")}</em>
            </h2>
            <p className="mt-6 max-w-[30rem] text-xl leading-[1.5]">{returnText ?? t("home.lastText", welcome)}</p>
            <Link className="button mt-8 border-paper" to={path(customer ? pagePaths.memberPage : registerToJoinPath)}>
              {t(returnText ? "loyalty.return" : "home.lastLink")}
            </Link>
          </div>
        </div>
      )}
    </main>
  );
}

/** A screen reader reads this first. The query is removed, so that a reload does not show it again. */
function focusOnce(element: HTMLElement | null): void {
  if (!element) return;
  element.focus();
  history.replaceState(history.state, "", location.pathname);
}
