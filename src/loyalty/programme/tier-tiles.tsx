import { useTexts } from "#i18n/use-texts.tsx";
import type { readProgramme } from "#loyalty/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { Drape } from "#ui/fabric/drape.tsx";
import { fabricOf } from "#ui/fabric/fabric.tsx";
import { Icon } from "#ui/icon.tsx";

type Programme = Pick<ResponseBody<typeof readProgramme>, "Tiers" | "PointsPerEuro" | "TierMonths">;

/** What the main unit of the currency earns, by a tier's multiplier. */
function usePointsPerEuro({ PointsPerEuro }: Pick<Programme, "PointsPerEuro">) {
  const { t, number } = useTexts();
  return (multiplier: number) => {
    const count = (PointsPerEuro * Math.round(multiplier * 100)) / 100;
    return t("home.tierRate", { count, formatted: number(count) });
  };
}

/** Columns by the number of tiers, so that every row is full. */
const columns = [
  "",
  "md:grid-cols-2 print:grid-cols-2",
  "md:grid-cols-3 print:grid-cols-3",
  "md:grid-cols-2 xl:grid-cols-4 print:grid-cols-4",
  "md:grid-cols-6 print:grid-cols-6 md:*:col-span-2 print:*:col-span-2 md:*:nth-last-[-n+2]:col-span-3 print:*:nth-last-[-n+2]:col-span-3",
  "md:grid-cols-3 print:grid-cols-3",
];

/** The tiers side by side, each under its cloth, with what its purchases earn and what else it brings. */
export function TierTiles({ programme }: { programme: Programme }) {
  const { t, number } = useTexts();
  const rate = usePointsPerEuro(programme);
  return (
    <ul className={`mt-10 grid grid-cols-1 gap-x-6 gap-y-14 ${columns[programme.Tiers.length - 1] ?? ""}`}>
      {programme.Tiers.map((tier) => (
        <li key={tier.IdLoyaltyTier}>
          <div className="relative isolate aspect-[4/3] md:aspect-auto md:h-[23rem] lg:h-[28.75rem] print:aspect-[2]">
            <Drape name={`${fabricOf(tier.Rank)}-tile`} own={`tile-${tier.Rank}`} />
          </div>
          <h3 className="mt-7 text-6xl">{tier.Name}</h3>
          <p className="mt-2 text-md text-soft">
            {tier.PointsRequired === 0
              ? t("home.tierFirst")
              : t("home.tierFrom", { points: number(tier.PointsRequired), months: programme.TierMonths })}
          </p>
          <p className="mt-5 border-line border-y py-3 font-display text-xl italic">{rate(tier.Multiplier)}</p>
          <ul>
            {/* The rate stands above already. */}
            {tier.Benefits.filter((benefit) => benefit !== rate(tier.Multiplier)).map((benefit) => (
              <li key={benefit} className="border-line border-b py-3">
                {benefit}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

/** What a purchase of 100 brings in each tier. */
export function RateRows({ programme }: { programme: Programme }) {
  const { t, number, money } = useTexts();
  return (
    <ul className="border-ink border-t">
      {programme.Tiers.map((tier) => (
        <li key={tier.IdLoyaltyTier} className="flex flex-wrap items-center gap-4 border-line border-b py-4 sm:gap-6">
          <span className="relative isolate size-14 shrink-0 sm:size-[4.5rem]">
            <Drape name={`${fabricOf(tier.Rank)}-square`} own={`square-${tier.Rank}`} />
          </span>
          <span className="grow basis-12">
            {tier.Name}
            <span className="block text-sm text-soft sm:text-md">
              {t("home.spent", { amount: money(100) })}
              {tier.Multiplier !== 1 && `, ×\u00a0${number(tier.Multiplier)}`}
            </span>
          </span>
          <span className="ml-auto whitespace-nowrap text-right text-soft">
            <span className="font-display text-amount text-ink leading-none tracking-heading">
              {number(Math.round(100 * programme.PointsPerEuro * tier.Multiplier))}
            </span>{" "}
            {t("card.points", { count: 100 })}
          </span>
        </li>
      ))}
    </ul>
  );
}

export function Benefits({ benefits }: { benefits: string[] }) {
  return (
    <ul className="space-y-2.5">
      {benefits.map((benefit) => (
        <li key={benefit} className="flex gap-3">
          <Icon name="check" className="mt-1 size-4 shrink-0 text-gold" />
          <span className="min-w-0">{benefit}</span>
        </li>
      ))}
    </ul>
  );
}
