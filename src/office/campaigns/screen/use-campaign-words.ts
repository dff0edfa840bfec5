import { amountOf, centsPerUnit } from "#brand/amounts.ts";
import { tagOf } from "#i18n/club-day.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type * as calls from "#office/campaigns/calls.ts";
import { useLineRuleWords } from "#office/programme/screen/line-rule-words.ts";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import type { ResponseBody } from "#platform/api/api.ts";

type Campaign = ResponseBody<typeof calls.listCampaigns>["Campaigns"][number];

/** A day of the week by its number, Monday is 1. */
export function useWeekday() {
  const { locale } = useTexts();
  const { format } = new Intl.DateTimeFormat(tagOf(locale), { weekday: "short", timeZone: "UTC" });
  // The 1st of January 2024 was a Monday.
  return (day: number) => format(Date.UTC(2024, 0, day));
}

/** What a campaign would cost by the sales of the year before: an estimate, so without the cents. */
export function usePriceWords() {
  const { t, money, number } = useTexts();
  const about = (cents: number) => money(Math.round(cents / centsPerUnit()), false);
  return ({ Price }: Pick<Campaign, "Price">) => {
    if (!Price) return t("office.campaigns.priceNone");
    const { Members, Cost, MostCents } = Price;
    const reached = { count: Members, members: number(Members) };
    return [
      costWords(reached, Cost),
      MostCents && t("office.campaigns.priceMost", { most: money(amountOf(MostCents)) }),
    ]
      .filter(Boolean)
      .join(" ");
  };

  function costWords(reached: { count: number; members: string }, cost: NonNullable<Campaign["Price"]>["Cost"]) {
    if (!cost) return t("office.campaigns.priceUnknown", reached);
    const [low, high] = [about(cost.LowCents), about(cost.HighCents)];
    if (low === high) return t("office.campaigns.pricePoint", { ...reached, cost: low });
    return t("office.campaigns.price", { ...reached, cost: about(cost.Cents), low, high });
  }
}

/** What a campaign gives, to whom and when. */
export function useCampaignWords() {
  const { t, money, number } = useTexts();
  const lineRule = useLineRuleWords();
  const weekday = useWeekday();
  const { days } = useFormats();
  return (campaign: Campaign) => {
    const { Multiplier, ExtraPoints, ExtraCents, MinimumAmount, TierName, ShopName, IdleMonths, StartsAt, EndsAt } =
      campaign;
    const { LimitPoints, GivenPoints, MemberLimitPoints, SegmentName, BirthdayDays, LineRule } = campaign;
    const { Weekdays, FromHour, ToHour, VoucherAmount, VoucherDays, VoucherLimit, Vouchers } = campaign;
    const limits = [
      LimitPoints !== null &&
        t("office.campaigns.limit", { given: number(GivenPoints), count: LimitPoints, limit: number(LimitPoints) }),
      VoucherLimit !== null &&
        t("office.campaigns.voucherLimit", {
          ...{ given: number(Vouchers), count: VoucherLimit, limit: number(VoucherLimit) },
        }),
      MemberLimitPoints !== null &&
        t("office.campaigns.memberLimit", { count: MemberLimitPoints, limit: number(MemberLimitPoints) }),
    ].filter((words) => words !== false);
    const whom = [
      TierName && t("office.campaigns.tier", { name: TierName }),
      ShopName,
      IdleMonths && t("office.campaigns.idle", { count: IdleMonths }),
      SegmentName && t("office.campaigns.segment", { name: SegmentName }),
      BirthdayDays !== null && t("office.campaigns.birthday", { count: BirthdayDays }),
    ].filter(Boolean);
    return {
      gives: VoucherAmount
        ? t("office.campaigns.voucher", { amount: money(VoucherAmount.Amount), count: VoucherDays ?? 0 })
        : Multiplier === null
          ? t("office.campaigns.extra", { count: ExtraPoints ?? 0, worth: money(amountOf(ExtraCents ?? 0)) })
          : t("office.campaigns.times", { times: number(Multiplier) }),
      // A cent that is kept keeps them: who approves it must see that.
      least: MinimumAmount
        ? t("office.campaigns.minimum", { amount: money(MinimumAmount.Amount) })
        : ExtraPoints === null
          ? null
          : t("office.campaigns.anyAmount"),
      lines: LineRule && lineRule(LineRule),
      limit: limits.join(", "),
      whom: whom.length > 0 ? whom.join(", ") : t("office.campaigns.everybody"),
      when: days(StartsAt, EndsAt),
      hours: [
        Weekdays?.map(weekday).join(", "),
        FromHour !== null && ToHour !== null && t("office.campaigns.hours", { from: FromHour, to: ToHour }),
      ]
        .filter(Boolean)
        .join(", "),
    };
  };
}
