import type { ReactNode } from "react";
import { Link } from "react-router";
import { useLocalePath, useTexts } from "#i18n/use-texts.tsx";
import { pagePaths } from "#identity/paths.ts";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";
import { endsSoon } from "#loyalty/ends-soon.ts";
import { vouchersPath } from "#loyalty/member-tabs.ts";
import { useKeptPoints } from "#loyalty/membership/kept-points.ts";
import { clubPath } from "#loyalty/paths.ts";
import { Drape } from "#ui/fabric/drape.tsx";
import { fabricOf } from "#ui/fabric/fabric.tsx";
import type { loader } from "./account.data.ts";

type Loaded = NonNullable<Awaited<ReturnType<typeof loader>>>;

const benefitsPath = `${pagePaths.memberPage}?tab=benefits`;
const historyPath = `${pagePaths.memberPage}?tab=history`;
const availablePath = `${pagePaths.memberPage}?state=available#vouchers`;

/** The account's home beside the card: one next step, then last purchase, soonest voucher and one benefit. */
export function AccountTiles(props: { loaded: Loaded; standing: LoyaltyCustomer | null; guest: boolean }) {
  const { loaded, standing, guest } = props;
  const { t, number, date, day } = useTexts();
  const { purchase, vouchers } = loaded;
  const tier = standing?.LoyaltyCustomerState ? standing.Tier : null;
  const benefit = tier?.Benefits.at(-1);
  return (
    <>
      {tier && standing ? (
        <NextStep loaded={loaded} standing={standing} />
      ) : (
        !guest && standing && <Activate loaded={loaded} standing={standing} />
      )}
      <ul>
        {purchase && (
          <Tile still={2} kicker={t("account.lastPurchase")} to={historyPath} link={t("account.history")}>
            {purchase.label}
            <span className="block text-sm text-soft">
              {date(purchase.date)} ·{" "}
              {purchase.arrivesAt
                ? t("member.pending", {
                    count: purchase.points,
                    formatted: number(purchase.points),
                    date: day(purchase.arrivesAt),
                  })
                : t("card.pointsCount", { count: purchase.points, formatted: `+${number(purchase.points)}` })}
            </span>
          </Tile>
        )}
        {loaded.voucher && (
          <Tile
            still={1}
            kicker={loaded.voucher.Name}
            to={availablePath}
            link={
              vouchers.until && endsSoon(vouchers.until)
                ? t("member.soonVouchers", { count: vouchers.count, date: date(vouchers.until) })
                : t("account.vouchers", { count: vouchers.count })
            }
          />
        )}
        {tier && benefit && (
          <Tile
            still={4}
            fabric={fabricOf(tier.Rank)}
            kicker={t("account.benefit", { tier: tier.Name })}
            to={benefitsPath}
            link={t("account.benefits")}
          >
            {benefit}
          </Tile>
        )}
        {/* The first of these benefits is the welcome gift. */}
        {!tier && !guest && standing && standing.WelcomePoints > 0 && loaded.firstTier && (
          <Tile still={1} kicker={t("account.benefitsToCome")} to={clubPath} link={t("shell.toProgramme")}>
            {loaded.firstTier.Benefits.map((text) => (
              <span key={text} className="block">
                {text}
              </span>
            ))}
          </Tile>
        )}
      </ul>
    </>
  );
}

/** One sentence and one button: a voucher to use, points to turn into one, or the way to the next status. */
function NextStep({ loaded: { voucher }, standing }: { loaded: Loaded; standing: LoyaltyCustomer }) {
  const { t, number, money, date } = useTexts();
  const path = useLocalePath();
  const { Points, NextTier } = standing;
  const worth = Number(Points.Value.Amount) > 0 && money(Points.Value.Amount);
  const [text, link, to] = voucher
    ? [
        t("account.nextVoucher", { amount: money(voucher.Value.Amount), date: date(voucher.ExpiresAt) }),
        t("account.nextVoucherLink"),
        availablePath,
      ]
    : worth
      ? [t("account.nextReward", { amount: worth }), t("account.nextRewardLink"), vouchersPath]
      : NextTier
        ? [
            t("account.nextTier", {
              count: NextTier.PointsMissing,
              formatted: number(NextTier.PointsMissing),
              tier: NextTier.Name,
            }),
            t("account.nextTierLink"),
            benefitsPath,
          ]
        : [t("member.topTier"), t("account.benefits"), benefitsPath];
  return (
    <section className="border-ink border-t pt-6">
      <h2 className="text-section">{text}</h2>
      <Link className="button mt-5 w-full sm:w-auto" to={path(to)}>
        {link}
      </Link>
    </section>
  );
}

/** The card waits for its owner; a former member is told what is kept. */
function Activate({ loaded: { hasBeenMember }, standing }: { loaded: Loaded; standing: LoyaltyCustomer }) {
  const { t, number } = useTexts();
  const path = useLocalePath();
  const gift = standing.WelcomePoints;
  const kept = useKeptPoints(standing);
  const { Available: count } = standing.Points;
  const [title, text, link] = hasBeenMember
    ? [
        t("member.formerTitle"),
        `${t("member.formerText", { count, formatted: number(count) })} ${kept}`,
        t("member.formerSubmit"),
      ]
    : [
        t("account.clubTitle"),
        gift > 0 ? t("account.clubText", { points: gift }) : t("account.clubTextAgain"),
        gift > 0 ? t("account.activate", { points: number(gift) }) : t("account.clubLink"),
      ];
  return (
    <section className="border-ink border-t pt-6">
      <h2 className="text-section">{title}</h2>
      <p className="mt-3 text-soft">{text}</p>
      <Link className="button solid mt-5 w-full sm:w-auto" to={path(pagePaths.memberPage)}>
        {link}
      </Link>
    </section>
  );
}

function Tile(props: {
  still: number;
  fabric?: ReturnType<typeof fabricOf>;
  kicker: string;
  to: string;
  link: string;
  children?: ReactNode;
}) {
  const path = useLocalePath();
  return (
    <li className="flex flex-wrap gap-5 border-line border-t py-5 last:border-b">
      <span className="relative isolate size-24 shrink-0 print:hidden">
        <Drape name={`${props.fabric ?? "silk"}-square`} still={props.still} own={`small-${props.still}`} />
      </span>
      <div className="min-w-0 grow basis-32">
        <p className="text-sm text-soft">{props.kicker}</p>
        {props.children && <p className="mt-1">{props.children}</p>}
        <Link className="inline-flex min-h-11 items-center text-md" to={path(props.to)}>
          <span className="underlined">{props.link}</span>
        </Link>
      </div>
    </li>
  );
}
