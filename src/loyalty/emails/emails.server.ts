import { eq } from "drizzle-orm";
import { amountOf } from "#brand/amounts.ts";
import { installedBrand } from "#brand/brand.server.ts";
import { textsOf } from "#brand/texts.server.ts";
import { type Locale, localePath } from "#i18n/locale.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { pagePaths } from "#identity/paths.ts";
import { barWidths } from "#loyalty/card/barcode.server.ts";
import type { ClubContext } from "#loyalty/club-context.ts";
import { vouchersPath } from "#loyalty/member-tabs.ts";
import type { Tier } from "#loyalty/programme/programme.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { type EmailContent, type Mail, queueMail } from "#platform/mail/mail.server.ts";
import { emailPicture } from "#ui/fabric/drape.tsx";
import type { FabricName } from "#ui/fabric/fabric.tsx";
import { fabricOf } from "#ui/fabric/fabric.tsx";

/** Queues an email to a customer in the transaction of its cause; an erased customer gets none. */
export async function queueEmail(
  queries: Queries,
  customerId: number,
  cause: string,
  locale: Locale,
  write: (firstname: string) => EmailContent,
  more: Pick<Mail, "notBefore"> = {},
): Promise<void> {
  const [customer] = await queries
    .select({ email: customers.email, firstname: customers.firstname })
    .from(customers)
    .where(eq(customers.id, customerId))
    .prepare("loyalty_letter_to")
    .execute();
  if (!customer) return;
  const email = write(customer.firstname);
  await queueMail(queries, { cause, customerId, to: customer.email, locale, content: email, ...more });
}

export type EmailContext = Pick<ClubContext, "locale" | "publicUrl">;

export const pageUrl = ({ locale, publicUrl }: EmailContext, path: string) => `${publicUrl}${localePath(locale, path)}`;

/** Over good news; emails about safety and about what ends are plain. */
function cloth(
  { publicUrl, locale }: EmailContext,
  fabric: FabricName,
  rank?: number,
): NonNullable<EmailContent["cloth"]> {
  const picture = emailPicture(textsOf[locale].formats, fabric, rank);
  const colour = installedBrand().theme.colours[fabric] ?? "";
  return { colour, ...(picture && { url: `${publicUrl}${picture}.jpg` }) };
}

/** `welcomePoints` is what was credited: none to a person who has had the gift before. */
export function joinedEmail(context: EmailContext, firstname: string, welcomePoints: number): EmailContent {
  const { t } = textsOf[context.locale];
  const gift = welcomePoints > 0;
  return {
    helpUrl: pageUrl(context, pagePaths.help),
    subject: gift ? t("mail.joined.subjectGift", { points: welcomePoints }) : t("mail.joined.subject"),
    preheader: t("mail.joined.preheader"),
    cloth: cloth(context, "cotton"),
    title: t("mail.joined.title", { firstname }),
    paragraphs: [
      gift ? t("mail.joined.gift", { points: welcomePoints }) : t("mail.joined.back"),
      t("mail.joined.card"),
    ],
    action: { label: t("mail.joined.action"), url: pageUrl(context, pagePaths.memberPage) },
  };
}

export function tierEmail(context: EmailContext, firstname: string, tier: Tier): EmailContent {
  const { t } = textsOf[context.locale];
  const name = tier.name[context.locale];
  return {
    helpUrl: pageUrl(context, pagePaths.help),
    subject: t("mail.tier.subject", { tier: name }),
    preheader: t("mail.tier.preheader", { tier: name }),
    cloth: cloth(context, fabricOf(tier.rank), tier.rank),
    title: t("mail.tier.title", { firstname, tier: name }),
    paragraphs: [t("mail.tier.benefits")],
    list: tier.benefits[context.locale],
    action: { label: t("mail.tier.action"), url: pageUrl(context, pagePaths.memberPage) },
  };
}

export interface VoucherDetails {
  name: string;
  amountCents: number;
  code: string;
  points: number;
  expiresAt: Date;
}

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

/** After a member's first purchase. */
export const firstPurchaseCause = (customerId: number) => `first-purchase:${customerId}`;

export function firstPurchaseEmail(
  context: EmailContext,
  firstname: string,
  bought: { points: number; arrivesAt: Date | null; cents: number; shop: string },
): EmailContent {
  const { t, money, date } = textsOf[context.locale];
  const { points, shop } = bought;
  return {
    helpUrl: pageUrl(context, pagePaths.help),
    subject: t("mail.bought.subject", { points }),
    preheader: t("mail.bought.preheader"),
    cloth: cloth(context, "silk"),
    title: t("mail.bought.title", { firstname }),
    paragraphs: [
      t("mail.bought.points", { points, shop, amount: money(amountOf(bought.cents)) }),
      ...(bought.arrivesAt ? [t("mail.bought.pending", { date: date(bought.arrivesAt) })] : []),
      t("mail.bought.next"),
    ],
    action: { label: t("mail.bought.action"), url: pageUrl(context, pagePaths.memberPage) },
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

/** After the card number was replaced. Without the new number: it is behind the sign-in. */
export function cardReplacedEmail(
  context: EmailContext,
  firstname: string,
  { ending, passesEnded }: { ending: string; passesEnded: boolean },
): EmailContent {
  const { t } = textsOf[context.locale];
  return {
    helpUrl: pageUrl(context, pagePaths.help),
    subject: t("mail.cardReplaced.subject"),
    preheader: t("mail.cardReplaced.preheader"),
    title: t("mail.cardReplaced.title", { firstname }),
    paragraphs: [
      t("mail.cardReplaced.old", { ending }),
      t(passesEnded ? "mail.cardReplaced.addAgain" : "mail.cardReplaced.passes"),
      t("mail.cardReplaced.notYou"),
    ],
    action: { label: t("mail.cardReplaced.action"), url: pageUrl(context, pagePaths.memberPage) },
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
  const until = date(voucher.expiresAt);
  return {
    helpUrl: pageUrl(context, pagePaths.help),
    subject: t("mail.mergedVoucher.subject", { amount }),
    preheader: t("mail.mergedVoucher.preheader", { date: until }),
    title: t("mail.mergedVoucher.title", { firstname }),
    paragraphs: [t("mail.mergedVoucher.code", { amount }), t("mail.mergedVoucher.use", { date: until })],
    code: voucher.code,
    bars: barWidths("code128", voucher.code),
    action: { label: t("mail.mergedVoucher.action"), url: pageUrl(context, vouchersPath) },
  };
}

/** Two accounts of one person have become one: what it holds now. */
export function mergedEmail(
  context: EmailContext,
  firstname: string,
  merged: {
    points: number;
    moved: number;
    giftTaken: number;
    vouchers: number;
    debt: number;
    /** In the email to the address that can no longer sign in: the one that can. */
    signInAt?: string;
  },
): EmailContent {
  const { t } = textsOf[context.locale];
  const { points, moved, giftTaken, vouchers, debt } = merged;
  return {
    helpUrl: pageUrl(context, pagePaths.help),
    subject: t("mail.merged.subject"),
    preheader: t("mail.merged.preheader", { points }),
    title: t("mail.merged.title", { firstname }),
    paragraphs: [
      t("mail.merged.points", { points, moved }),
      ...(giftTaken > 0 ? [t("mail.merged.gift", { points: giftTaken })] : []),
      ...(debt > 0 ? [t("mail.merged.debt", { points: debt })] : []),
      ...(vouchers > 0 ? [t("mail.merged.vouchers", { count: vouchers })] : []),
      t("mail.merged.card"),
      merged.signInAt === undefined ? t("mail.merged.signIn") : t("mail.merged.signInAt", { email: merged.signInAt }),
    ],
    action: { label: t("mail.merged.action"), url: pageUrl(context, pagePaths.memberPage) },
    footnote: t("mail.merged.footnote"),
  };
}
