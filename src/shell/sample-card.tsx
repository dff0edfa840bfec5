import { useTexts } from "#i18n/use-texts.tsx";
import { LoyaltyCard } from "#loyalty/card/card.tsx";

/** The EAN-13 bars of the sample number, which no customer has. */
const bars =
  "M0 0h1v20h-1zM2 0h1v20h-1zM6 0h1v20h-1zM8 0h2v20h-2zM13 0h2v20h-2zM16 0h1v20h-1zM18 0h1v20h-1zM21 0h3v20h-3zM25 0h1v20h-1zM28 0h3v20h-3zM34 0h2v20h-2zM37 0h1v20h-1zM39 0h2v20h-2zM43 0h2v20h-2zM46 0h1v20h-1zM48 0h1v20h-1zM50 0h2v20h-2zM53 0h2v20h-2zM57 0h1v20h-1zM62 0h1v20h-1zM64 0h1v20h-1zM66 0h3v20h-3zM71 0h1v20h-1zM74 0h3v20h-3zM78 0h1v20h-1zM80 0h1v20h-1zM85 0h1v20h-1zM87 0h1v20h-1zM92 0h1v20h-1zM94 0h1v20h-1z";

/** No one's card: it has no points yet. */
export function SampleCard({ rank, tier }: { rank: number; tier: string }) {
  const { t } = useTexts();
  return (
    <div aria-hidden="true">
      <LoyaltyCard
        rank={rank}
        tier={tier}
        name={t("card.yourName")}
        number="2900000123496"
        barcode={
          <svg aria-hidden="true" viewBox="0 0 95 20" preserveAspectRatio="none" shapeRendering="crispEdges">
            <path d={bars} />
          </svg>
        }
      />
    </div>
  );
}
