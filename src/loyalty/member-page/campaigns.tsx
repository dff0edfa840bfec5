import { useTexts } from "#i18n/use-texts.tsx";
import type { readLoyalty } from "#loyalty/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";

type Campaign = ResponseBody<typeof readLoyalty>["Campaigns"][number];

/** What brings this member more points, with the days and hours of those that do not count at all times. */
export function Campaigns({ campaigns }: { campaigns: Campaign[] }) {
  const { t, date, money } = useTexts();
  const timesOf = useTimes();
  return (
    <section className="mt-16 lg:mt-[4.5rem]" aria-labelledby="campaigns">
      <h2 id="campaigns" className="border-ink border-t pt-6 text-5xl">
        {t("member.campaigns")}
      </h2>
      <ul>
        {campaigns.map((campaign) => {
          const { Name, Text, EndsAt, ShopName, MinimumAmount } = campaign;
          const times = timesOf(campaign);
          return (
            <li key={`${Name} ${EndsAt}`} className="border-line border-b py-4">
              <p>
                <strong className="font-medium">{Name}</strong>
              </p>
              <p>{Text}</p>
              {MinimumAmount && <p>{t("member.campaignFrom", { amount: money(MinimumAmount.Amount) })}</p>}
              {times && <p>{times}</p>}
              <p className="text-md text-soft">
                {ShopName
                  ? t("member.campaignAt", { date: date(lastDay(EndsAt)), shop: ShopName })
                  : t("member.campaignUntil", { date: date(lastDay(EndsAt)) })}
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** On which days of the week and at which hours a campaign counts; null: at all times. */
function useTimes() {
  const { t } = useTexts();
  return ({ Weekdays = [], FromHour: from, ToHour: to }: Campaign) => {
    const hours = from !== undefined && to !== undefined && { from, to };
    const names = Weekdays.map((day) => t("member.campaignDay", { day }));
    const last = names.pop();
    if (!last) return hours ? t("member.campaignHours", hours) : null;
    const days = names.length > 0 ? t("member.campaignDays", { days: names.join(", "), last }) : last;
    return hours ? t("member.campaignDaysHours", { days, ...hours }) : t("member.campaignOnly", { days });
  };
}

/** It ends at midnight: the day before is the last. */
const lastDay = (endsAt: string) => new Date(Date.parse(endsAt) - 1_000);
