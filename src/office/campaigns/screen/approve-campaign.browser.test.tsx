import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { listCampaigns } from "#office/campaigns/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { accept, onCall, openPage, spoken, t } from "#testing/browser/open-page.tsx";
import { FormContext, staffForms } from "#ui/form/form.tsx";
import { Campaigns, loadCampaigns } from "./campaigns.tsx";
import "#office/screen/office.css";

const names = { fr: "Retour", en: "Return", de: "Rückkehr" };
const campaign: ResponseBody<typeof listCampaigns>["Campaigns"][number] = {
  ...{ IdCampaign: 1, Name: names, Text: names, Multiplier: 2, ExtraPoints: null, ExtraCents: null },
  ...{ VoucherAmount: null, VoucherDays: null, VoucherLimit: null, Vouchers: 0, MinimumAmount: null },
  ...{ LimitPoints: null, GivenPoints: 0, MemberLimitPoints: null, State: "waiting", AddedBy: "Lou Garnier" },
  ...{ StartsAt: "2026-03-10T10:00:00.000Z", EndsAt: "2026-03-31T22:00:00.000Z", Mine: false, TierName: null },
  ...{ ShopName: null, IdleMonths: null, LineRule: null, Weekdays: null, FromHour: null, ToHour: null },
  ...{ BirthdayDays: null, ControlPercent: 10, Price: null, Sales: 0, Points: 0, Cents: 0, SegmentName: "Fidèles" },
  SegmentDefinition: {
    all: [
      { fact: "status", in: ["1", "2"] },
      { fact: "consent", in: ["email", "sms"] },
      { fact: "last_purchase", min: 180 },
      {
        not: {
          any: [
            { fact: "spent", min: 10_000, max: 25_050, days: 30, shopId: 3, code: "maille", priceType: "full" },
            { fact: "imported" },
          ],
        },
      },
    ],
  },
};

async function openCampaigns(campaigns: (typeof campaign)[]) {
  onCall(
    listCampaigns,
    accept<typeof listCampaigns>({
      ...{ Today: "2026-03-10", Campaigns: campaigns, Segments: [] },
      Tiers: ["Flanelle", "Velours"].map((Name, n) => ({ IdLoyaltyTier: n + 1, Name })),
      Shops: [{ IdShop: 3, Name: "Marais" }],
      LineCodes: [{ code: "maille", name: { fr: "Maille", en: "Knitwear", de: "Strick" } }],
    }),
  );
  await openPage({
    Component: () => (
      <FormContext value={staffForms}>
        <Campaigns />
      </FormContext>
    ),
    loader: loadCampaigns,
  });
}

test("an estimated cost has no cents, a range only where it is one, and what it costs at most is exact", async () => {
  const priced = (LowCents: number, Cents: number, HighCents: number, MostCents: number | null = null) => ({
    ...{ Members: 1_234, Cost: { LowCents, Cents, HighCents }, MostCents },
  });
  const prices = [
    priced(98_765, 123_456, 148_123),
    priced(4_020, 4_020, 4_020, 4_020),
    priced(0, 0, 0),
    { Members: 2, Cost: null, MostCents: 3_000 },
    { Members: 0, Cost: { LowCents: 0, Cents: 0, HighCents: 0 }, MostCents: 0 },
  ];
  await openCampaigns(prices.map((Price, n) => ({ ...campaign, IdCampaign: n + 1, Price })));
  const notes = [...document.querySelectorAll("td .note")].map((note) => spoken(note.textContent ?? ""));
  expect(notes.filter((note) => note !== campaign.Text.fr)).toEqual([
    "Toucherait 1 234 membres, pour 1 235 € environ (988 € à 1 481 €), d’après l’an dernier.",
    "Toucherait 1 234 membres, pour 40 € environ, d’après l’an dernier. Au plus 40,20 €.",
    "Toucherait 1 234 membres, pour 0 € environ, d’après l’an dernier.",
    "Toucherait 2 membres. On en sait trop peu pour estimer le coût. Au plus 30 €.",
    "Ne toucherait aucun membre.",
  ]);
});

test("who approves a campaign reads in words whom its segment holds", async () => {
  await openCampaigns([campaign]);
  await page.getByRole("button", { name: t("office.approvals.approve") }).click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByRole("heading", { level: 3 })).toHaveTextContent("Fidèles");
  const conditions = dialog.getByRole("listitem").elements();
  expect(conditions.map((one) => spoken(one.firstChild?.textContent ?? ""))).toEqual([
    "Toutes ces conditions",
    "Statut : Flanelle ou Velours",
    "Accord : newsletter et SMS",
    "Dernier achat : il y a au moins 180 jours",
    "Ne s’applique pas : Au moins une de ces conditions",
    "Montant des achats, en euros : au moins 100 € · au plus 250,50 € · au cours des 30 derniers jours · Boutique Marais · Catégorie Maille · Type de prix Plein tarif",
    "Venu d’un autre club",
  ]);
});
