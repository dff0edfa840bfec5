import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";
import { openPage, t, textsOf } from "#testing/browser/open-page.tsx";
import { type CachedCard, readCachedCard } from "./cached-card.ts";
import { cacheNameOf, cardKey, deleteCachedCards, hasCachedCard, maxCardAgeDays } from "./card-cache.ts";
import { OfflineScreen } from "./offline-screen.tsx";

afterEach(() => deleteCachedCards());

const day = 24 * 3_600_000;
const customer: LoyaltyCustomer = {
  IdCustomer: 7,
  IdLoyaltyProgram: 4,
  LoyaltyCustomerState: true,
  MemberSince: "2026-01-01T00:00:00.000Z",
  WelcomePoints: 250,
  Referral: null,
  Card: { Number: "2984618696108", BarcodeFormat: "EAN13", BarcodeSvg: "<svg></svg>" },
  Points: {
    ...{ Available: 250, Pending: 0, NextPending: null, EarnedLast12Months: 250, Expiring: null, Debt: 0 },
    Value: { Amount: "10.00", CurrencyIsoCode: "EUR" },
  },
  Tier: null,
  TierMonths: 12,
  NextTier: null,
  Campaigns: [],
};

/** As the card was cached some days ago. */
async function cacheAged(days: number): Promise<Date> {
  const asOf = new Date(Date.now() - days * day);
  const card: CachedCard = { asOf: asOf.toISOString(), name: "Camille Laurent", customer, vouchers: [] };
  const cache = await caches.open(cacheNameOf(customer.IdCustomer));
  await cache.put(cardKey, Response.json(card));
  return asOf;
}

async function show() {
  const cached = await readCachedCard();
  await openPage({ Component: () => <OfflineScreen cached={cached} /> });
}

/** Everything that the browser has stored of cards. */
async function stored(): Promise<string> {
  const texts = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) texts.push(await (await cache.match(request))?.text());
  }
  return texts.join();
}

test("without a network the card is shown until its last day, which the page names", async () => {
  const asOf = await cacheAged(maxCardAgeDays - 1);
  expect(await hasCachedCard()).toBe(true);
  await show();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent(t("offline.card"));
  const until = textsOf.fr.date(new Date(asOf.getTime() + maxCardAgeDays * day));
  await expect.element(page.getByText(t("offline.until", { date: until }))).toBeVisible();
});

test("a card older than that is neither shown nor stored, and the page says why, each time", async () => {
  const asOf = await cacheAged(maxCardAgeDays + 1);
  // The service worker does not show it instead of a slow page.
  expect(await hasCachedCard()).toBe(false);
  await show();
  const words = t("offline.expired", { date: textsOf.fr.date(asOf), days: maxCardAgeDays });
  await expect.element(page.getByText(words)).toBeVisible();
  expect(await stored()).not.toMatch(/Camille|2984618696108/);
  expect(await readCachedCard()).toEqual({ asOf: asOf.toISOString(), expired: true });
  // Read from the server again, it is back.
  await cacheAged(0);
  expect(await hasCachedCard()).toBe(true);
  expect(await readCachedCard()).toMatchObject({ name: "Camille Laurent" });
});
