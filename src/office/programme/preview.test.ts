import { expect, test } from "vitest";
import { openTestDrafts } from "#testing/drafts.server.ts";

const { marketing, save } = await openTestDrafts();

test.each(["fr", "en", "de"])(
  "the draft is shown in %s as a member would see it, with what is missing",
  async (language) => {
    await save(({ tiers }) => ({
      tiers: tiers.map((tier) => ({
        ...tier,
        benefits: { fr: [...tier.benefits.fr, "Livraison à vélo"], en: tier.benefits.en, de: tier.benefits.de },
      })),
      welcomePoints: 333,
    }));
    const show = async (preview: string) => {
      const response = await marketing.browse(
        `/api/office/programme/preview?${new URLSearchParams({ Show: preview, IdLoyaltyTier: "3", LanguageIsoCode: language })}`,
      );
      expect(response.status).toBe(200);
      expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
      const html = await response.text();
      expect(html).not.toContain("<script");
      return html;
    };
    const missing = { fr: "Texte français à écrire", en: "English text missing", de: "Text auf Deutsch fehlt" }[
      language
    ];
    const shown = language === "fr" ? "Livraison à vélo" : missing;
    expect(await show("benefits")).toContain(shown);
    expect(await show("page")).toContain("Vogt");
    expect(await show("tier")).toContain(shown);
    expect(await show("joined")).toContain("333");
    expect(await show("voucher")).toContain("KWXT");
  },
);

test("a preview shows rewards in the order of the page, whatever their order in the draft", async () => {
  const show = async (Show: string) => {
    const asked = new URLSearchParams({ Show, LanguageIsoCode: "fr" });
    const html = await (await marketing.browse(`/api/office/programme/preview?${asked}`)).text();
    // Forms have idempotency keys.
    return html.replace(/[\da-f]{8}-[\da-f-]{27}/g, "");
  };
  const both = async () => [await show("vouchers"), await show("voucher")];
  const { Revision } = await save(({ rewards }) => ({ rewards }));
  const inOrder = await both();
  await save(({ rewards }) => ({ rewards: rewards.toReversed() }), { Revision });
  expect(await both()).toEqual(inOrder);
});
