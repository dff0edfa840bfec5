import { Link } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import type { LoyaltyCustomer, readProgramme } from "#loyalty/calls.ts";
import { fabricOf } from "#loyalty/card/card.tsx";
import { clubPath } from "#loyalty/paths.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { Drape } from "#ui/fabric/drape.tsx";
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
  const shown = [
    { title: t("member.benefitsNow"), benefits: Tier.Benefits },
    ...(next
      ? [
          {
            title: t("member.benefitsNext", { tier: next.Name, points: number(NextTier?.PointsMissing ?? 0) }),
            benefits: next.Benefits,
          },
        ]
      : []),
  ];
  return (
    <Section title={t("member.benefitsOf", { tier: Tier.Name })}>
      <div className="grid grid-cols-1 gap-x-10 gap-y-8 md:grid-cols-2 xl:grid-cols-[17.75rem_1fr_1fr]">
        <div className="relative isolate min-h-40 md:max-xl:col-span-2 xl:min-h-64">
          <Drape name={`${fabricOf(Tier.Rank)}-tile`} />
        </div>
        {shown.map(({ title, benefits }) => (
          <div key={title} className={next ? "" : "md:col-span-2"}>
            <h3 className="border-line border-b pb-3 font-medium font-sans text-base leading-normal tracking-normal">
              {title}
            </h3>
            <ul>
              {benefits.map((benefit) => (
                <li key={benefit} className="border-line border-b py-3">
                  {benefit}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <Link className="mt-4 inline-flex min-h-11 items-center" to={path(clubPath)}>
        <span className="underlined">{t("member.benefitsAll")}</span>
      </Link>
    </Section>
  );
}
