import type { Locale } from "#i18n/locale.ts";
import { letters } from "#identity/links/letters.server.ts";
import {
  firstPurchaseLetter,
  giftLetter,
  joinedLetter,
  mergedLetter,
  mergedVoucherLetter,
  reissueLetter,
  tierLetter,
  voucherCancelledLetter,
  voucherLetter,
  voucherUsedLetter,
} from "#loyalty/letters/letters.server.ts";
import {
  expiryLetter,
  keptPointsLetter,
  statusEndsLetter,
  vouchersEndLetter,
} from "#loyalty/letters/warning-letters.server.ts";
import { manyGiftsLetter } from "#loyalty/membership/gift-report.server.ts";
import { pinLetter } from "#office/shops/pin-link.server.ts";
import { invitationLetter } from "#office/sign-in/letters.server.ts";
import type { Letter } from "#platform/mail/mail.server.ts";
import programme from "../../db/programme.json";

const publicUrl = new URL("https://cercle.example");
const firstname = "Camille";
const token = "0".repeat(43);
const code = "B7KQ2MXT9RWD";
const shop = "Cercle Marais";
const day = "2027-03-10";
const moment = new Date("2027-03-10T12:00:00Z");

/** Every letter to customers and staff, with the facts of an invented customer, by the name that its texts have. */
export function sampleLetters(locale: Locale): Record<string, Letter> {
  const settings = { publicUrl };
  const context = { locale, publicUrl: publicUrl.origin };
  const [, tier] = programme.tiers;
  const [reward] = programme.rewards;
  if (!tier || !reward) throw new Error("The programme has no second tier or no reward.");
  const { amountCents, points } = reward;
  const voucher = { name: reward.name[locale], amountCents, code, points, expiresAt: moment };
  return {
    confirm: letters.confirm(settings, locale, firstname, token),
    newAddress: letters.newAddress(settings, locale, firstname, token),
    addressChanging: letters.addressChanging(settings, locale, { firstname, email: "camille@exemple.fr", token }),
    fromShop: letters.confirmFromShop(settings, locale, firstname, token, { shop, day: moment }),
    welcome: letters.welcome(settings, locale, firstname),
    reset: letters.reset(settings, locale, firstname, token),
    guest: letters.guest(settings, locale, firstname, token),
    password: letters.passwordChanged(settings, locale, firstname),
    linked: letters.linked(settings, locale, firstname, "Google"),
    passkey: letters.passkeyAdded(settings, locale, firstname),
    code: letters.code(settings, locale, firstname, "042917"),
    erased: letters.erased(settings, locale, firstname),
    idle: letters.idle(settings, locale, firstname, moment),
    idleErased: letters.idleErased(settings, locale, firstname),
    joined: joinedLetter(context, firstname, programme.welcomePoints),
    joinedAgain: joinedLetter(context, firstname, 0),
    tier: tierLetter(context, firstname, tier),
    voucher: voucherLetter(context, firstname, voucher),
    reissue: reissueLetter(context, firstname, { amountCents: reward.amountCents, code, expiresAt: moment }),
    bought: firstPurchaseLetter(context, firstname, { points: 149, arrivesAt: moment, cents: 11_985, shop }),
    voucherUsed: voucherUsedLetter(context, firstname, { code, cents: reward.amountCents, shop, at: moment }),
    voucherCancelled: voucherCancelledLetter(context, firstname, {
      amountCents: reward.amountCents,
      points: reward.points,
    }),
    lapse: expiryLetter(context, firstname, { points: 120, day, missing: 0 }),
    kept: keptPointsLetter(context, firstname, { points: 290, firstDay: "2027-03-06", day }),
    voucherEnds: vouchersEndLetter(context, firstname, {
      day,
      vouchers: [
        { code, cents: 1_000, day: "2027-03-06" },
        { code: "KWXTRBHMNPQD", cents: 5_000, day },
      ],
    }),
    statusEnds: statusEndsLetter(context, firstname, {
      ...{ name: tier.name, missing: 120, months: programme.tierMonths, pendingDays: programme.pendingDays, day },
    }),
    gift: giftLetter(context, firstname, { amountCents: reward.amountCents, code, expiresAt: moment }),
    mergedVoucher: mergedVoucherLetter(context, firstname, {
      ...{ amountCents: reward.amountCents, code, expiresAt: moment },
    }),
    merged: mergedLetter(context, firstname, { points: 649, moved: 120, giftTaken: 250, vouchers: 1, debt: 0 }),
    invitation: invitationLetter(settings, locale, firstname, token),
    pin: pinLetter(settings, locale, firstname, token),
    manyGifts: manyGiftsLetter(settings.publicUrl.origin, locale, "192.0.2.17", [2041, 2042]),
  };
}
