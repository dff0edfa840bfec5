import type { ReactNode } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";
import { cardDialog } from "#loyalty/paths.ts";
import { fabricOf } from "#ui/fabric/fabric.tsx";
import { Barcode } from "./barcode.tsx";
import { LoyaltyCard } from "./card.tsx";
import { CodeLink, FullScreenCode } from "./code-link.tsx";

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
  const { t } = useTexts();
  const { Card, Tier, Points } = customer;
  if (!Card || !Tier) return null;
  return (
    <div className="relative max-w-[32rem]">
      <LoyaltyCard
        rank={Tier.Rank}
        tier={Tier.Name}
        points={Points.Available}
        name={name}
        code={{ number: Card.Number, bars: <Barcode svg={Card.BarcodeSvg} /> }}
      />
      <div className="card-buttons mt-6">
        {/* The link's ::before covers the card, so that a tap on the card opens the dialog too. */}
        <CodeLink
          id={cardDialog}
          className="button solid px-3 before:absolute before:inset-x-0 before:top-0 before:aspect-[1.586] before:rounded-[18px]"
        >
          {t("member.enlarge")}
        </CodeLink>
        {actions}
      </div>
      <CardCode customer={customer} name={name} />
    </div>
  );
}

/** The card's code in full screen. */
export function CardCode({ customer: { Card, Tier, Points }, name }: { customer: LoyaltyCustomer; name?: string }) {
  const { t, number } = useTexts();
  if (!Card || !Tier) return null;
  return (
    <FullScreenCode
      id={cardDialog}
      {...(name && { name })}
      kind={Tier.Name}
      note={t("member.codeNote", { tier: Tier.Name })}
      fabric={fabricOf(Tier.Rank)}
      value={
        <>
          <span className="font-display text-5xl leading-none">{number(Points.Available)}</span>{" "}
          {t("card.points", { count: Points.Available })}
        </>
      }
      svg={Card.BarcodeSvg}
      code={Card.Number}
    />
  );
}
