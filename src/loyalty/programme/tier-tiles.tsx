import { useTexts } from "#i18n/use-texts.tsx";
import type { readProgramme } from "#loyalty/calls.ts";
import { fabricOf } from "#loyalty/card/card.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { Fabric } from "#ui/fabric.tsx";
import { Icon } from "#ui/icon.tsx";

/** The tiers side by side, each under its fabric, with what a euro earns; with their benefits on request. */
export function TierTiles({
  programme: { Tiers: tiers, PointsPerEuro },
  withBenefits,
}: {
  programme: Pick<ResponseBody<typeof readProgramme>, "Tiers" | "PointsPerEuro">;
  withBenefits?: boolean;
}) {
  const { t, number } = useTexts();
  const rate = (multiplier: number) => {
    const count = (PointsPerEuro * Math.round(multiplier * 100)) / 100;
    return t("home.tierRate", { count, formatted: number(count) });
  };
  return (
    <ul className="mt-7 grid grid-cols-1 gap-5 md:grid-cols-3">
      {tiers.map((tier) => (
        <li key={tier.IdLoyaltyTier} className="border border-line">
          <div className={`relative ${withBenefits ? "h-36" : "h-44 lg:h-48"}`}>
            <Fabric name={fabricOf(tier.Rank)} />
          </div>
          <div className="px-6 pt-6 pb-7">
            <h3 className="text-[2rem]">{tier.Name}</h3>
            <p className="mt-2 text-[0.9375rem] text-soft">
              {tier.PointsRequired === 0
                ? t("home.tierFirst")
                : t("home.tierFrom", { points: number(tier.PointsRequired) })}
              {/* The benefits say it themselves. */}
              {!withBenefits && <span className="block">{rate(tier.Multiplier)}</span>}
            </p>
            {withBenefits && (
              <div className="mt-5 border-line border-t pt-5 text-[0.9375rem]">
                <Benefits benefits={tier.Benefits} />
              </div>
            )}
          </div>
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
