import { clubCity, installedBrand } from "#brand/brand.server.ts";
import { type Locale, localePath } from "#i18n/locale.ts";
import { emails } from "#identity/links/emails.server.ts";
import { pagePaths } from "#identity/paths.ts";
import {
  cardReplacedEmail,
  firstPurchaseEmail,
  joinedEmail,
  mergedEmail,
  tierEmail,
} from "#loyalty/emails/emails.server.ts";
import {
  campaignVoucherEmail,
  giftEmail,
  mergedVoucherEmail,
  reissueEmail,
  voucherCancelledEmail,
  voucherEmail,
  voucherUsedEmail,
} from "#loyalty/emails/voucher-emails.server.ts";
import {
  expiryEmail,
  keptPointsEmail,
  statusEndsEmail,
  vouchersEndEmail,
} from "#loyalty/emails/warning-emails.server.ts";
import { manyGiftsEmail } from "#loyalty/membership/gift-report.server.ts";
import { firstProgramme } from "#loyalty/programme/first-programme.server.ts";
import { pinEmail } from "#office/shops/pin-link.server.ts";
import { emergencyEmail, invitationEmail } from "#office/sign-in/emails.server.ts";
import type { EmailContent } from "#platform/mail/mail.server.ts";
import { unknownCodesEmail } from "#shop/sales/catalogue/unknown-codes.server.ts";
import { receiptEmail } from "#till/receipt-email.server.ts";

const publicUrl = new URL("https://cercle.example");
const firstname = "Camille";
const token = "0".repeat(43);
const code = "B7KQ2MXT9RWD";
const day = "2027-03-10";
const moment = new Date("2027-03-10T12:00:00Z");

/** Every email to customers and staff, with the facts of an invented customer, by the name that its texts have. */
export function sampleEmails(locale: Locale, programme = firstProgramme()): Record<string, EmailContent> {
  const shop = `${installedBrand().Name} ${clubCity()}`;
  const settings = { publicUrl };
  const context = { locale, publicUrl: publicUrl.origin };
  const [, tier] = programme.tiers;
  const [reward] = programme.rewards;
  if (!tier || !reward) throw new Error("The programme has no second tier or no reward.");
  const { amountCents, points } = reward;
  const voucher = { name: reward.name[locale], amountCents, code, points, expiresAt: moment };
  return {
    confirm: emails.confirm(settings, locale, firstname, token),
    newAddress: emails.newAddress(settings, locale, firstname, token),
    addressChanging: emails.addressChanging(settings, locale, { firstname, email: "camille@exemple.fr", token }),
    fromShop: emails.confirmFromShop(settings, locale, firstname, token, { shop, day: moment }),
    welcome: emails.welcome(settings, locale, firstname),
    reset: emails.reset(settings, locale, firstname, token),
    guest: emails.guest(settings, locale, firstname, token),
    password: emails.passwordChanged(settings, locale, firstname),
    linked: emails.linked(settings, locale, firstname, "Google"),
    passkey: emails.passkeyAdded(settings, locale, firstname),
    code: emails.code(settings, locale, firstname, "042917"),
    erased: emails.erased(settings, locale, firstname),
    idle: emails.idle(settings, locale, firstname, moment),
    idleErased: emails.idleErased(settings, locale, firstname),
    joined: joinedEmail(context, firstname, programme.welcomePoints),
    joinedAgain: joinedEmail(context, firstname, 0),
    tier: tierEmail(context, firstname, tier),
    voucher: voucherEmail(context, firstname, voucher),
    reissue: reissueEmail(context, firstname, { amountCents: reward.amountCents, code, expiresAt: moment }),
    bought: firstPurchaseEmail(context, firstname, { points: 149, arrivesAt: moment, cents: 11_985, shop }),
    receipt: receiptEmail(context, firstname, {
      ...{ number: "T4-0117", shop, soldAt: moment, arrivesAt: moment, earned: 109, creditCents: 0 },
      lines: [
        { line: "1", paidCents: 8_990, shareCents: 0 },
        { line: "2", paidCents: 1_995, shareCents: amountCents },
      ],
      vouchers: [{ code, valueCents: amountCents, takenCents: amountCents }],
    }),
    cardReplaced: cardReplacedEmail(context, firstname, { ending: "0042", passesEnded: false }),
    voucherUsed: voucherUsedEmail(context, firstname, { code, cents: reward.amountCents, shop, at: moment }),
    voucherCancelled: voucherCancelledEmail(context, firstname, {
      amountCents: reward.amountCents,
      points: reward.points,
    }),
    expiry: expiryEmail(context, firstname, { points: 120, day, missing: 0 }),
    kept: keptPointsEmail(context, firstname, { points: 290, firstDay: "2027-03-06", day }),
    voucherEnds: vouchersEndEmail(context, firstname, {
      day,
      vouchers: [
        { code, cents: 1_000, day: "2027-03-06" },
        { code: "KWXTRBHMNPQD", cents: 5_000, day },
      ],
    }),
    statusEnds: statusEndsEmail(context, firstname, {
      ...{ name: tier.name, missing: 120, months: programme.tierMonths, pendingDays: programme.pendingDays, day },
    }),
    gift: giftEmail(context, firstname, { amountCents: reward.amountCents, code, expiresAt: moment }),
    campaign: campaignVoucherEmail(context, firstname, {
      ...{ text: tier.benefits[locale][0] ?? "", amountCents: reward.amountCents, code, expiresAt: moment },
      unsubscribeUrl: `${context.publicUrl}${localePath(locale, pagePaths.unsubscribe)}?token=…`,
    }),
    mergedVoucher: mergedVoucherEmail(context, firstname, {
      ...{ amountCents: reward.amountCents, code, expiresAt: moment },
    }),
    merged: mergedEmail(context, firstname, {
      points: 649,
      moved: 120,
      giftTaken: programme.welcomePoints,
      vouchers: 1,
      debt: 0,
    }),
    invitation: invitationEmail(settings, locale, firstname, token),
    emergency: emergencyEmail(locale, "owner@cercle.example", new Date("2026-11-18T08:00:00Z")),
    pin: pinEmail(settings, locale, firstname, token),
    manyGifts: manyGiftsEmail(settings.publicUrl.origin, locale, "192.0.2.17", [2041, 2042]),
    unknownCodes: unknownCodesEmail(settings.publicUrl.origin, locale, [{ code: "tricot", shop: "Paris", lines: 12 }]),
  };
}
