import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { Locale } from "#i18n/locale.ts";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";
import { openPage, spoken, textsOf } from "#testing/browser/open-page.tsx";
import { Campaigns } from "./campaigns.tsx";

type Campaign = LoyaltyCustomer["Campaigns"][number];
const campaign: Campaign = {
  ...{ Name: "Happy hours", Text: "Twice the points", EndsAt: "2026-03-31T22:00:00.000Z" },
  ...{ ShopName: null, MinimumAmount: null },
};

const weekend = { Weekdays: [6, 7], FromHour: 10, ToHour: 14 };

test.each<[Locale, Partial<Campaign>, string]>([
  ["fr", weekend, "Uniquement le samedi et le dimanche, de 10 h à 14 h"],
  ["en", weekend, "Only on Saturdays and Sundays, from 10:00 to 14:00"],
  ["de", weekend, "Nur samstags und sonntags, von 10 bis 14 Uhr"],
  ["en", { Weekdays: [1, 2, 3] }, "Only on Mondays, Tuesdays and Wednesdays"],
  ["fr", { Weekdays: [4] }, "Uniquement le jeudi"],
  ["de", { FromHour: 18, ToHour: 24 }, "Nur von 18 bis 24 Uhr"],
])("a campaign that counts at certain times says when: %s %j", async (locale, times, words) => {
  const campaigns = [
    { ...campaign, ...times },
    { ...campaign, Name: "Always" },
  ];
  await openPage({ Component: () => <Campaigns campaigns={campaigns} /> }, { locale });
  const heading = page.getByRole("heading", { name: textsOf[locale].t("member.campaigns"), exact: true });
  await expect.element(heading).toBeVisible();
  const items = page.getByRole("listitem").elements();
  const lines = (item: Element | undefined) =>
    [...(item?.querySelectorAll("p") ?? [])].map(({ textContent }) => spoken(textContent));
  const until = textsOf[locale].t("member.campaignUntil", { date: textsOf[locale].date("2026-03-31") });
  expect(lines(items[0])).toEqual(["Happy hours", "Twice the points", words, spoken(until)]);
  expect(lines(items[1])).toEqual(["Always", "Twice the points", spoken(until)]);
});
