import { eq } from "drizzle-orm";
import { amountOf } from "#brand/amounts.ts";
import { installedBrand } from "#brand/brand.server.ts";
import { textsOf } from "#brand/texts.server.ts";
import { clubDay } from "#i18n/club-day.ts";
import { type Locale, localePath } from "#i18n/locale.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import { pagePaths } from "#identity/paths.ts";
import type { ClubContext } from "#loyalty/club-context.ts";
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
export function cloth(
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

/** At most one email a day about a status: it may be lost by a return and reached again. */
export const tierCause = (customerId: number, tierId: number, now: Date): string =>
  `tier:${customerId}:${tierId}:${clubDay(now)}`;

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
