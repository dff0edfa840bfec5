import { installedBrand } from "#brand/brand.server.ts";
import { textsOf } from "#brand/texts.server.ts";
import { clubDay } from "#i18n/club-day.ts";
import type { Locale } from "#i18n/locale.ts";
import { readCustomer } from "#identity/calls.ts";
import { pagePaths } from "#identity/paths.ts";
import * as club from "#loyalty/calls.ts";
import { joinedEmail, tierEmail } from "#loyalty/emails/emails.server.ts";
import { voucherEmail } from "#loyalty/emails/voucher-emails.server.ts";
import { describeEvents } from "#loyalty/events/events.server.ts";
import { describeLoyaltyCustomer, type LoyaltyAccount } from "#loyalty/ledger/loyalty-customer.server.ts";
import { tabParameter } from "#loyalty/member-tabs.ts";
import { defaultProgrammeId, describeProgramme } from "#loyalty/programme/programme.server.ts";
import type { Rules } from "#loyalty/programme/rules.ts";
import { programmeOf } from "#loyalty/programme/versions/versions.server.ts";
import { describeRewards } from "#loyalty/rewards/rewards.server.ts";
import { describeWallets } from "#loyalty/wallet/wallets.server.ts";
import { emailHtml } from "#platform/mail/email.server.tsx";
import { Refusal } from "#platform/refusal.ts";

/** What can be looked at before it is published. */
export const previews = ["page", "vouchers", "benefits", "joined", "tier", "voucher"] as const;
type Preview = (typeof previews)[number];

/** Renders one of the product's pages, whose reading calls are answered by `read`. */
export type RenderPreview = (page: {
  path: string;
  locale: Locale;
  read: (line: string) => unknown;
}) => Promise<string>;

/** Nothing of a frame runs or leaves it; emails have their styles inside. */
const policy = (inline: boolean) =>
  `default-src 'none'; style-src 'self' ${inline ? "'unsafe-inline'" : installedBrand().sheetSource}; img-src 'self' data:; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`;

const respond = (html: string, inline: boolean) =>
  // A press on a link would open a window, which the frame may not.
  new Response(html.replace("<head>", '<head><base target="_blank">'), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy(inline),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });

/** The member's page or an email as rules would make it, for an invented member. */
export async function previewOf(
  deps: { renderPreview: RenderPreview; publicUrl: string },
  rules: Rules,
  shown: { preview: Preview; tierId: number | undefined; locale: Locale; now: Date },
): Promise<Response> {
  const { locale, now, preview } = shown;
  const invented = inventMember(withGapsNamed(rules, locale), shown);
  const { firstname, tier, cheapest } = invented;
  const context = { locale, publicUrl: deps.publicUrl };
  if (preview === "page" || preview === "vouchers" || preview === "benefits") {
    const path = preview === "page" ? pagePaths.memberPage : `${pagePaths.memberPage}?${tabParameter}=${preview}`;
    const html = await deps.renderPreview({ path, locale, read: (line) => invented.read(line, deps.publicUrl) });
    return respond(html, false);
  }
  const email = () => {
    if (preview === "joined") return joinedEmail(context, firstname, rules.welcomePoints);
    if (preview === "tier") return tierEmail(context, firstname, tier);
    if (!cheapest) throw new Refusal("not_found");
    const { name, amountCents, points, validDays } = cheapest;
    const expiresAt = new Date(now.getTime() + validDays * 86_400_000);
    const code = "KWXTRBHMNPQD";
    return voucherEmail(context, firstname, { name: name[locale], amountCents, code, points, expiresAt });
  };
  return respond(emailHtml(email(), locale), true);
}

/** Where a text is missing in the language, a note stands in its place. */
function withGapsNamed(rules: Rules, locale: Locale): Rules {
  const missing = `[${textsOf[locale].t("office.programme.missing")}]`;
  const named = <Texts extends Record<Locale, string>>(texts: Texts): Texts =>
    texts[locale] === "" ? { ...texts, [locale]: missing } : texts;
  return {
    ...rules,
    tiers: rules.tiers.map((tier) => ({
      ...tier,
      name: named(tier.name),
      benefits: { ...tier.benefits, [locale]: tier.benefits[locale].map((line) => line || missing) },
    })),
    rewards: rules.rewards.map((reward) => ({
      ...reward,
      name: named(reward.name),
      description: named(reward.description),
    })),
    events: rules.events.map((event) => ({
      ...event,
      name: named(event.name),
      description: named(event.description),
      hint: named(event.hint),
    })),
  };
}

/** A person who does not exist, at a tier of the rules. */
function inventMember(
  rules: Rules,
  { tierId, locale, now }: { tierId: number | undefined; locale: Locale; now: Date },
) {
  const programme = { ...programmeOf(rules), id: defaultProgrammeId, known: { tiers: [], rewards: [], events: [] } };
  const tier = programme.tiers.find(({ id }) => id === tierId) ?? programme.tiers[0];
  if (!tier) throw new Refusal("not_found");
  const next = programme.tiers.find(({ rank }) => rank === tier.rank + 1) ?? null;
  const earned = next ? Math.trunc((tier.pointsRequired + next.pointsRequired) / 2) : tier.pointsRequired + 240;
  const [cheapest] = programme.rewards;
  const available = Math.max(240, Math.min(earned, 1_240));
  const until = tier.pointsRequired > 0 ? new Date(now.getTime() + 200 * 86_400_000).toISOString().slice(0, 10) : null;
  const account: LoyaltyAccount = {
    state: "active",
    memberSince: now.toISOString(),
    cardNumber: "2953475747537",
    referralCode: "0123456789abcdef",
    referral: programme.referral,
    welcomePoints: 0,
    available,
    debt: 0,
    pending: { points: 0, due: 0, next: null },
    earned,
    tierMonths: programme.tierMonths,
    expiring: null,
    campaigns: null,
    rank: { tier, next, until, missing: until ? tier.pointsRequired : null },
    rewards: programme.rewards,
  };
  const [firstname, lastname] = { fr: ["Hélène", "Vogt"], en: ["Hannah", "Vogt"], de: ["Hannah", "Vogt"] }[locale] as [
    string,
    string,
  ];
  const facts = {
    ...{ member: true, emailVerified: true, mobilePhone: null, birthday: null, birthdayChangedAt: null },
    ...{
      newsletter: false,
      newsletterSms: false,
      phoneGiven: false,
      bought: true,
      secondAccount: false,
      obtained: {},
      today: clubDay(now),
    },
  };
  const read = (line: string, publicUrl: string): unknown => {
    switch (line) {
      case readCustomer:
        return {
          ...{ IdCustomer: 1, Email: "hannah@exemple.fr", Firstname: firstname, Lastname: lastname, Civility: null },
          ...{
            Birthday: null,
            MobilePhone: null,
            LanguageIsoCode: locale,
            CurrencyIsoCode: installedBrand().Currency,
            Guest: false,
          },
          ...{ Active: true, EmailVerified: true, HasPassword: true, NewsletterSubscribe: false },
          ...{ NewsletterSmsSubscribe: false, LoyaltySubscribe: true, SocialLogins: [] },
        };
      case club.readProgramme:
        return describeProgramme(programme, locale);
      case club.readLoyalty:
        return describeLoyaltyCustomer(account, 1, { locale, publicUrl });
      case club.listEvents:
        return { Events: describeEvents(programme, facts, { locale, now }) };
      case club.listRewards:
        return { Rewards: describeRewards(programme, account, locale) };
      case club.listCustomerRewards:
        return { CustomerRewards: [], Total: 0, NextExpiry: null };
      case club.readHistory:
        return { Entries: [], NextCursor: null };
      case club.readMoved:
        return { Moved: null };
      case club.readWallets:
        return describeWallets(undefined, publicUrl, locale);
      default:
        throw new Refusal("not_found");
    }
  };
  return { firstname, tier, cheapest, read };
}
