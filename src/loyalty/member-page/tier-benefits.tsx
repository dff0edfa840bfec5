import { Link } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import type { readProgramme } from "#loyalty/calls.ts";
import type { LoyaltyCustomer } from "#loyalty/loyalty-customer.ts";
import { clubPath } from "#loyalty/paths.ts";
import { Benefits } from "#loyalty/programme/tier-tiles.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { Section } from "#ui/section.tsx";

/** What the member's status brings, and what the next one would; the whole programme is a page of its own. */
export function TierBenefits({
  customer: { Tier, NextTier },
  tiers,
}: {
  customer: LoyaltyCustomer;
  tiers: ResponseBody<typeof readProgramme>["Tiers"];
}) {
  const { t } = useTexts();
  const path = useLocalePath();
  const next = tiers.find((tier) => tier.IdLoyaltyTier === NextTier?.IdLoyaltyTier);
  if (!Tier) return null;
  const shown = [
    { title: t("member.benefitsNow", { tier: Tier.Name }), benefits: Tier.Benefits },
    ...(next ? [{ title: t("member.benefitsNext", { tier: next.Name }), benefits: next.Benefits }] : []),
  ];
  return (
    <Section title={t("member.benefits")}>
      <div className="grid grid-cols-1 gap-x-10 gap-y-8 md:grid-cols-2">
        {shown.map(({ title, benefits }) => (
          <div key={title}>
            <h3 className="mb-3 text-[1.35rem]">{title}</h3>
            <Benefits benefits={benefits} />
          </div>
        ))}
      </div>
      <Link className="mt-4 inline-flex min-h-11 items-center" to={path(clubPath)}>
        <span className="underlined">{t("member.benefitsAll")}</span>
      </Link>
    </Section>
  );
}
