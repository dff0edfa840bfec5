import { useTexts } from "#i18n/use-texts.tsx";
import type { readLoyalty } from "#loyalty/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";

/** What brings this member more points now. */
export function Campaigns({ campaigns }: { campaigns: ResponseBody<typeof readLoyalty>["Campaigns"] }) {
  const { t, date, money } = useTexts();
  if (campaigns.length === 0) return null;
  return (
    <section className="mt-16 lg:mt-[4.5rem]" aria-labelledby="campaigns">
      <h2 id="campaigns" className="border-ink border-t pt-6 text-5xl">
        {t("member.campaigns")}
      </h2>
      <ul>
        {campaigns.map(({ Name, Text, EndsAt, ShopName, MinimumAmount }) => (
          <li key={`${Name} ${EndsAt}`} className="border-line border-b py-4">
            <p>
              <strong className="font-medium">{Name}</strong>
            </p>
            <p>{Text}</p>
            {MinimumAmount && <p>{t("member.campaignFrom", { amount: money(MinimumAmount.Amount) })}</p>}
            <p className="text-md text-soft">
              {ShopName
                ? t("member.campaignAt", { date: date(lastDay(EndsAt)), shop: ShopName })
                : t("member.campaignUntil", { date: date(lastDay(EndsAt)) })}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** It ends at midnight: the day before is the last. */
const lastDay = (endsAt: string) => new Date(Date.parse(endsAt) - 1_000);
