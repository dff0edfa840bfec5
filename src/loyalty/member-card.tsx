import { useTexts } from "#i18n/use-texts.tsx";
import { LoyaltyCard } from "./card.tsx";
import type { Standing } from "./standing.ts";

/** The member's own card, with the barcode the server drew. */
export function MemberCard({ customer, name }: { customer: Standing; name: string }) {
  const { Card, Tier, Points } = customer;
  if (!Card || !Tier) return null;
  return (
    <div className="max-w-[28rem]">
      <LoyaltyCard
        rank={Tier.Rank}
        tier={Tier.Name}
        points={Points.Available}
        name={name}
        number={Card.Number}
        barcode={<Barcode svg={Card.BarcodeSvg} />}
      />
      <Expiring expiring={Points.Expiring} />
    </div>
  );
}

/** Drawn by our own server: plain shapes, no script. */
export function Barcode({ svg }: { svg: string }) {
  return (
    <div
      aria-hidden="true"
      className="h-full [&>svg]:size-full"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own server drew it.
      dangerouslySetInnerHTML={{ __html: svg.replace("<svg ", '<svg preserveAspectRatio="none" ') }}
    />
  );
}

function Expiring({ expiring }: { expiring: Standing["Points"]["Expiring"] }) {
  const { t, number, date } = useTexts();
  if (!expiring) return null;
  const points = t("card.pointsCount", { count: expiring.Points, formatted: number(expiring.Points) });
  const soon = Date.parse(expiring.Date) - Date.now() < 60 * 86_400_000;
  return (
    <p className={`mt-5 text-[0.9375rem] ${soon ? "border-gold border-l-2 pl-4" : "text-soft"}`}>
      {t("member.expiring", { points, date: date(expiring.Date) })} {soon && t("member.expiringHint")}
    </p>
  );
}
