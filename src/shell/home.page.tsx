import { Link, type LoaderFunctionArgs, useSearchParams } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { erasedParameter } from "#identity/paths.ts";
import { maybeSignedIn, useCustomer } from "#identity/session/session.ts";
import { readLoyalty, readProgramme } from "#loyalty/calls.ts";
import { Barcode } from "#loyalty/card/barcode.tsx";
import { LoyaltyCard } from "#loyalty/card/card.tsx";
import { clubPath } from "#loyalty/paths.ts";
import { JoinLinks } from "#loyalty/programme/join-links.tsx";
import { TierTiles } from "#loyalty/programme/tier-tiles.tsx";
import { callContext } from "#platform/api/client.ts";
import { useLoaded } from "#platform/api/use-loaded.ts";
import { Fabric } from "#ui/fabric.tsx";
import { PageTitle } from "#ui/page-title.tsx";
import { SampleCard } from "./sample-card.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const call = context.get(callContext);
  const [programme, standing] = await Promise.all([
    call(readProgramme),
    // A member's own card; when it fails, the page shows the sample.
    maybeSignedIn(request) ? call(readLoyalty).catch(() => null) : null,
  ]);
  return { programme, standing };
}

export { logoutAction as action } from "#shell/session/logout-without-script.ts";

export function Component() {
  const { programme, standing } = useLoaded<typeof loader>();
  const { t, number, money } = useTexts();
  const customer = useCustomer();
  const path = useLocalePath();
  const [search] = useSearchParams();
  const first = programme.Rewards[0];
  const amounts = {
    points: number(first?.Points ?? programme.WelcomePoints),
    amount: money(first?.Value.Amount ?? 0),
  };
  const welcome = { ...amounts, points: number(programme.WelcomePoints) };
  const steps = [
    [t("home.step1"), t("home.step1Text", { points: number(programme.WelcomePoints) })],
    [t("home.step2"), t("home.step2Text", { points: programme.PointsPerEuro })],
    [t("home.step3"), t("home.step3Text", amounts)],
  ];
  const best = programme.Tiers.at(-1);
  return (
    <main id="content">
      <PageTitle title={t("home.title")} description={t("home.description", welcome)} />
      {search.has(erasedParameter) && !customer && (
        <p
          ref={focusOnce}
          tabIndex={-1}
          className="text-balance bg-linen p-5 text-center font-display text-[1.25rem] leading-snug"
        >
          {t("home.erased")}
        </p>
      )}
      <div className="grid grid-cols-1 lg:min-h-[37.5rem] lg:grid-cols-2">
        <div className="flex flex-col justify-center px-5 py-14 sm:px-10 lg:py-20 lg:pr-12 lg:pl-[max(2.5rem,calc(50vw-36.25rem))]">
          <p className="kicker text-soft">{t("home.kicker")}</p>
          <h1 className="mt-7 text-[clamp(2.5rem,5vw,4.25rem)]">
            {t("home.headline1")}
            <br />
            <em>{t("home.headline2")}</em>
          </h1>
          <p className="mt-7 max-w-[30rem] text-[1.125rem] text-soft leading-[1.6]">
            {customer?.LoyaltySubscribe ? t("home.leadMember") : t("home.lead", welcome)}
          </p>
          <JoinLinks />
        </div>
        <div className="relative isolate flex min-h-[24rem] items-center justify-center overflow-hidden px-6 py-14">
          <Fabric name="silk" />
          <div className="w-full max-w-[26.25rem] -rotate-6">
            {customer && standing?.Card && standing.Tier ? (
              <LoyaltyCard
                rank={standing.Tier.Rank}
                tier={standing.Tier.Name}
                points={standing.Points.Available}
                name={`${customer.Firstname} ${customer.Lastname}`}
                number={standing.Card.Number}
                barcode={<Barcode svg={standing.Card.BarcodeSvg} />}
              />
            ) : (
              best && <SampleCard rank={best.Rank} tier={best.Name} />
            )}
          </div>
        </div>
      </div>

      <ol className="wrap grid gap-10 pt-20 lg:grid-cols-3 lg:gap-16">
        {steps.map(([title, text], index) => (
          <li key={title}>
            <span aria-hidden="true" className="font-display text-[1.6rem] text-ornament italic">
              {index + 1}
            </span>
            <h2 className="mt-2 text-[1.75rem]">{title}</h2>
            <p className="mt-2 text-soft">{text}</p>
          </li>
        ))}
      </ol>

      <section className="wrap pt-20 pb-20">
        <h2 className="text-[clamp(2rem,4vw,2.75rem)]">{t("home.tiers")}</h2>
        <TierTiles programme={programme} />
        <Link className="mt-7 inline-flex min-h-11 items-center" to={path(clubPath)}>
          <span className="underlined">{t("loyalty.title")}</span>
        </Link>
      </section>
    </main>
  );
}

/** A screen reader reads this first. The query is removed, so that a reload does not show it again. */
function focusOnce(element: HTMLElement | null): void {
  if (!element) return;
  element.focus();
  history.replaceState(history.state, "", location.pathname);
}
