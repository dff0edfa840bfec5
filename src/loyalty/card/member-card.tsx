import type { ReactNode } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";
import { Barcode } from "./barcode.tsx";
import { LoyaltyCard } from "./card.tsx";
import { CodeLink, FullScreenCode } from "./code-link.tsx";
import { cardDialog } from "./codes.ts";

/** The member's own card, with the barcode the server drew; a tap opens it in full screen. */
export function MemberCard({
  customer,
  name,
  actions,
}: {
  customer: LoyaltyCustomer;
  name: string;
  actions?: ReactNode;
}) {
  const { t, number } = useTexts();
  const { Card, Tier, Points } = customer;
  if (!Card || !Tier) return null;
  const points = t("card.pointsCount", { count: Points.Available, formatted: number(Points.Available) });
  return (
    <div className="relative max-w-[32rem]">
      <LoyaltyCard
        rank={Tier.Rank}
        tier={Tier.Name}
        points={Points.Available}
        name={name}
        number={Card.Number}
        barcode={<Barcode svg={Card.BarcodeSvg} />}
      />
      <div className="mt-6 flex flex-wrap gap-3 [&>*]:grow [&>.button]:basis-[9rem]">
        {/* The link's ::before covers the card, so that a tap on the card opens the dialog too. */}
        <CodeLink
          id={cardDialog}
          className="button solid px-3 before:absolute before:inset-x-0 before:top-0 before:aspect-[1.586] before:rounded-[18px]"
        >
          {t("member.enlarge")}
        </CodeLink>
        {actions}
      </div>
      <FullScreenCode
        id={cardDialog}
        name={name}
        tier={Tier.Name}
        value={points}
        svg={Card.BarcodeSvg}
        code={Card.Number}
      />
    </div>
  );
}
