import type { ReactNode } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { Fabric, type FabricName } from "#ui/fabric.tsx";

/** By rank: each tier is named after a fabric. */
const tierFabrics: FabricName[] = ["cotton", "silk", "cashmere"];

export function fabricOf(rank: number): FabricName {
  return tierFabrics[rank - 1] ?? "cotton";
}

/** The member's card, on the fabric of its tier. Everything on it scales with its width. */
export function LoyaltyCard(card: {
  rank: number;
  tier: string;
  /** None on a sample. */
  points?: number;
  name: string;
  number: string;
  barcode: ReactNode;
}) {
  const { t, number } = useTexts();
  const fabric = fabricOf(card.rank);
  const dark = fabric === "cashmere";
  return (
    <section
      className={`loyalty-card @container relative isolate aspect-[1.586] w-full overflow-hidden rounded-[18px] shadow-[0_18px_40px_-12px_rgb(11_10_12/0.35),0_4px_12px_-4px_rgb(11_10_12/0.18)] ${dark ? "text-paper" : "text-ink"}`}
      aria-label={t("card.label", {
        tier: card.tier,
        name: card.name,
        points: `${number(card.points ?? 0)} ${t("card.points", { count: card.points ?? 0 })}`,
      })}
    >
      <Fabric name={fabric} />
      <div className="relative flex h-full flex-col px-[6.4cqw] pt-[6.2cqw] pb-[5.4cqw]">
        <div className="flex items-start justify-between">
          <span className="font-display text-[6cqw] leading-none tracking-[0.28em]">CERCLE</span>
          <span
            className={`text-[max(0.75rem,3.4cqw)] uppercase leading-none tracking-[0.2em] ${dark ? "text-[#d9c49a]" : "text-[#6b5427]"}`}
          >
            {card.tier}
          </span>
        </div>
        {card.points !== undefined && (
          <p className="mt-[3.4cqw] flex items-baseline gap-[2cqw] leading-none">
            <span className="font-display text-[9.6cqw] tracking-[-0.015em]">{number(card.points)}</span>
            <span className="text-[3.6cqw] tracking-[0.02em]">{t("card.points", { count: card.points })}</span>
          </p>
        )}
        {/* A long name is truncated to one line: a second would push the barcode out of the card. */}
        <p
          dir="auto"
          className={`truncate text-left leading-tight ${card.points === undefined ? "mt-[5cqw] text-[5.2cqw]" : "mt-[1.2cqw] text-[3.9cqw]"}`}
        >
          {card.name}
        </p>
        <div className="mt-auto forced-color-adjust-none rounded-[1.4cqw] bg-paper px-[4.6cqw] pt-[2.8cqw] pb-[2.2cqw] text-center text-ink">
          <div className="h-[12.5cqw] [&>svg]:size-full">{card.barcode}</div>
          <p className="tabular-nums mt-[1.2cqw] text-[3.6cqw] leading-none tracking-[0.26em]">
            <span className="sr-only">{t("card.number", { number: card.number })}</span>
            <span aria-hidden="true">{card.number}</span>
          </p>
        </div>
      </div>
    </section>
  );
}
