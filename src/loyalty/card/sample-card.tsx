import { useTexts } from "#i18n/use-texts.tsx";
import { LoyaltyCard } from "./card.tsx";

/** The card that a customer would have, faded until it is theirs. */
export function FadedCard({ name, tier }: { name: string; tier: { Rank: number; Name: string } | undefined }) {
  return (
    <div className="faded-card max-w-[32rem]">
      {tier && <SampleCard rank={tier.Rank} tier={tier.Name} name={name} />}
    </div>
  );
}

/** No one's card: it has neither points nor a code. */
export function SampleCard({ rank, tier, name }: { rank: number; tier: string; name?: string }) {
  const { t } = useTexts();
  return (
    <div aria-hidden="true">
      <LoyaltyCard rank={rank} tier={tier} name={name ?? t("card.yourName")} />
    </div>
  );
}
