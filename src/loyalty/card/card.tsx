import type { ReactNode } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { Fabric, fabricOf } from "#ui/fabric/fabric.tsx";

/** The member's card, on the fabric of its tier. Everything on it scales with its width. */
export function LoyaltyCard(card: {
  rank: number;
  tier: string;
  /** Absent on a card that is no one's. */
  points?: number;
  name: string;
  /** Absent likewise: what looks like a code would be scanned. */
  code?: { number: string; bars: ReactNode };
}) {
  const { t, number } = useTexts();
  const fabric = fabricOf(card.rank);
  const dark = fabric === "cashmere";
  return (
    <section
      className={`loyalty-card light-scheme @container relative isolate aspect-[1.586] w-full overflow-hidden rounded-card [box-shadow:var(--shadow-card)] ${dark ? "text-paper" : "text-ink"}`}
      aria-label={t("card.label", {
        tier: card.tier,
        name: card.name,
        points: `${number(card.points ?? 0)} ${t("card.points", { count: card.points ?? 0 })}`,
      })}
    >
      <Fabric name={fabric} />
      <div className="relative flex h-full flex-col">
        <div className="flex items-start justify-between px-[6.2cqw] pt-[6.2cqw]">
          <span className="font-display text-[6.2cqw] leading-none tracking-wordmark">{t("wordmark")}</span>
          <span
            className={`text-[max(0.75rem,3cqw)] @max-3xs:text-[4cqw] uppercase leading-none tracking-[0.2em] ${dark ? "text-gold-light" : "text-gold-dark"}`}
          >
            {card.tier}
          </span>
        </div>
        {/* Name and points share a baseline. A long name wraps beside the points, to two lines, and pushes nothing. */}
        <div className="mt-auto grid grid-cols-[minmax(0,1fr)_auto] items-baseline-last gap-x-[4cqw] px-[6.2cqw] pb-[4cqw]">
          <p dir="auto" className="line-clamp-2 text-left text-[3.9cqw] leading-tight [overflow-wrap:anywhere]">
            {card.name}
          </p>
          {card.points !== undefined && (
            <p className="flex items-baseline gap-[2cqw] leading-none">
              <span className="card-points inline-block font-display text-[11.5cqw] leading-[0.8] tracking-heading">
                {number(card.points)}
              </span>
              <span className="text-[3.6cqw] tracking-[0.02em]">{t("card.points", { count: card.points })}</span>
            </p>
          )}
        </div>
        {/* A paper hem across the foot, sewn where it has no code. */}
        <div className="forced-color-adjust-none bg-[white] px-[8cqw] pt-[3cqw] pb-[2.6cqw] text-center text-ink">
          {card.code ? (
            <>
              <div className="h-[12.5cqw]">{card.code.bars}</div>
              {/* The space after the last figure is taken back, so that bars and number share a centre. */}
              <p className="tabular-nums mt-[1.4cqw] -mr-[0.26em] text-[3.2cqw] leading-none tracking-[0.26em]">
                <span className="sr-only">{t("card.number", { number: card.code.number })}</span>
                <span aria-hidden="true">{card.code.number}</span>
              </p>
            </>
          ) : (
            <div className="card-seam h-[6cqw]" />
          )}
        </div>
      </div>
    </section>
  );
}
