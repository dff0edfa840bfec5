import { amountOf } from "#brand/amounts.ts";
import { textsOf } from "#brand/texts.server.ts";
import { pagePaths } from "#identity/paths.ts";
import { barWidths } from "#loyalty/card/barcode.server.ts";
import { vouchersPath } from "#loyalty/member-tabs.ts";
import type { EmailContent } from "#platform/mail/mail.server.ts";
import { cloth, type EmailContext, pageUrl } from "./emails.server.ts";

export interface VoucherDetails {
  name: string;
  amountCents: number;
  code: string;
  points: number;
  expiresAt: Date;
}

/** A voucher that the customer obtained for points. */
export function voucherEmail(context: EmailContext, firstname: string, voucher: VoucherDetails): EmailContent {
  const { t, date, money } = textsOf[context.locale];
  const until = date(voucher.expiresAt);
  const amount = money(amountOf(voucher.amountCents));
  return {
    helpUrl: pageUrl(context, pagePaths.help),
    subject: t("mail.voucher.subject", { reward: voucher.name }),
    preheader: t("mail.voucher.preheader", { date: until }),
    cloth: cloth(context, "silk"),
    title: t("mail.voucher.title", { firstname }),
    paragraphs: [t("mail.voucher.use", { amount, points: voucher.points, date: until })],
    code: voucher.code,
    bars: barWidths("code128", voucher.code),
    action: { label: t("mail.voucher.action"), url: pageUrl(context, vouchersPath) },
  };
}

/** After a voucher was used at a till: the owner hears of it if another person used it. */
export const voucherUseCause = (code: string) => `voucher-used:${code}`;

export function voucherUsedEmail(
  context: EmailContext,
  firstname: string,
  used: { code: string; cents: number; shop: string; at: Date },
): EmailContent {
  const { t, money, date } = textsOf[context.locale];
  const values = { code: used.code, shop: used.shop, amount: money(amountOf(used.cents)), date: date(used.at) };
  return {
    helpUrl: pageUrl(context, pagePaths.help),
    subject: t("mail.voucherUsed.subject", values),
    preheader: t("mail.voucherUsed.preheader", values),
    title: t("mail.voucherUsed.title", { firstname }),
    paragraphs: [t("mail.voucherUsed.where", values), t("mail.voucherUsed.notYou")],
    action: { label: t("mail.voucherUsed.action"), url: pageUrl(context, vouchersPath) },
  };
}

/** After a voucher was cancelled because its points were needed for a return. */
export function voucherCancelledEmail(
  context: EmailContext,
  firstname: string,
  voucher: { amountCents: number; points: number },
): EmailContent {
  const { t, money } = textsOf[context.locale];
  const values = { amount: money(amountOf(voucher.amountCents)) };
  return {
    helpUrl: pageUrl(context, pagePaths.help),
    subject: t("mail.voucherCancelled.subject", values),
    preheader: t("mail.voucherCancelled.preheader"),
    title: t("mail.voucherCancelled.title", { firstname }),
    paragraphs: [t("mail.voucherCancelled.why", values), t("mail.voucherCancelled.points", { points: voucher.points })],
    action: { label: t("mail.voucherCancelled.action"), url: pageUrl(context, pagePaths.memberPage) },
  };
}

/** A voucher in place of one whose purchase was returned. */
export function reissueEmail(
  context: EmailContext,
  firstname: string,
  voucher: { amountCents: number; code: string; expiresAt: Date },
): EmailContent {
  const { t, date, money } = textsOf[context.locale];
  const amount = money(amountOf(voucher.amountCents));
  const until = date(voucher.expiresAt);
  return {
    helpUrl: pageUrl(context, pagePaths.help),
    subject: t("mail.reissue.subject", { amount }),
    preheader: t("mail.reissue.preheader", { date: until }),
    title: t("mail.reissue.title", { firstname }),
    paragraphs: [t("mail.reissue.code", { amount }), t("mail.reissue.use", { date: until })],
    code: voucher.code,
    bars: barWidths("code128", voucher.code),
    action: { label: t("mail.reissue.action"), url: pageUrl(context, vouchersPath) },
  };
}

/** A voucher that the retailer gives. */
export function giftEmail(
  context: EmailContext,
  firstname: string,
  voucher: { amountCents: number; code: string; expiresAt: Date },
): EmailContent {
  const { t, date, money } = textsOf[context.locale];
  const until = date(voucher.expiresAt);
  const amount = money(amountOf(voucher.amountCents));
  return {
    helpUrl: pageUrl(context, pagePaths.help),
    subject: t("mail.gift.subject", { amount }),
    preheader: t("mail.gift.preheader", { date: until }),
    cloth: cloth(context, "silk"),
    title: t("mail.gift.title", { firstname }),
    paragraphs: [t("mail.gift.use", { amount, date: until })],
    code: voucher.code,
    bars: barWidths("code128", voucher.code),
    action: { label: t("mail.gift.action"), url: pageUrl(context, vouchersPath) },
  };
}

/** A voucher of a campaign, to customers who have agreed to offers; `text` is the campaign's sentence. */
export function campaignVoucherEmail(
  context: EmailContext,
  firstname: string,
  voucher: { text: string; amountCents: number; code: string; expiresAt: Date; unsubscribeUrl: string },
): EmailContent {
  const { t } = textsOf[context.locale];
  const email = giftEmail(context, firstname, voucher);
  return {
    ...email,
    title: t("mail.campaign.title", { firstname }),
    paragraphs: [voucher.text, ...email.paragraphs],
    footnote: t("mail.campaign.footnote"),
    unsubscribe: { label: t("mail.campaign.unsubscribe"), url: voucher.unsubscribeUrl },
  };
}

/** A voucher in place of one of an account that has become part of this one. */
export function mergedVoucherEmail(
  context: EmailContext,
  firstname: string,
  voucher: { amountCents: number; code: string; expiresAt: Date },
): EmailContent {
  const { t, date, money } = textsOf[context.locale];
  const amount = money(amountOf(voucher.amountCents));
  return {
    ...reissueEmail(context, firstname, voucher),
    subject: t("mail.mergedVoucher.subject", { amount }),
    title: t("mail.mergedVoucher.title", { firstname }),
    paragraphs: [t("mail.mergedVoucher.code", { amount }), t("mail.reissue.use", { date: date(voucher.expiresAt) })],
  };
}
