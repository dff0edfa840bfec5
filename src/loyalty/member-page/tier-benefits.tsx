import { Link } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import type { LoyaltyCustomer, readProgramme } from "#loyalty/calls.ts";
import { clubPath } from "#loyalty/paths.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { Drape } from "#ui/fabric/drape.tsx";
import { fabricOf } from "#ui/fabric/fabric.tsx";
import { Section } from "#ui/section.tsx";

/** What the member's status brings, and what the next one would; the whole programme is a page of its own. */
export function TierBenefits({
  customer: { Tier, NextTier },
  tiers,
}: {
  customer: LoyaltyCustomer;
  tiers: ResponseBody<typeof readProgramme>["Tiers"];
}) {
  const { t, number } = useTexts();
  const path = useLocalePath();
  const next = tiers.find((tier) => tier.IdLoyaltyTier === NextTier?.IdLoyaltyTier);
  if (!Tier) return null;
  return (
    <Section title={t("member.benefitsOf", { tier: Tier.Name })}>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-6 md:grid-cols-4">
        {Tier.Benefits.map((benefit, index) => (
          <li key={benefit}>
            <div className="relative isolate aspect-[4/3] print:hidden">
              <Drape name={`${fabricOf(Tier.Rank)}-tile`} still={(index % 6) + 1} />
            </div>
            <p className="mt-3 text-md">{benefit}</p>
          </li>
        ))}
      </ul>
      {next && (
        <>
          <h3 className="mt-8 border-line border-b pb-3 font-medium font-sans text-base leading-normal tracking-normal">
            {t("member.benefitsNext", { tier: next.Name, points: number(NextTier?.PointsMissing ?? 0) })}
          </h3>
          <ul className="md:grid md:grid-cols-2 md:gap-x-10">
            {next.Benefits.map((benefit) => (
              <li key={benefit} className="border-line border-b py-3 text-soft">
                {benefit}
              </li>
            ))}
          </ul>
        </>
      )}
      <Link className="mt-4 inline-flex min-h-11 items-center" to={path(clubPath)}>
        <span className="underlined">{t("member.benefitsAll")}</span>
      </Link>
    </Section>
  );
}
