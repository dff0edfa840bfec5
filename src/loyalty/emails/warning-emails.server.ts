import { amountOf } from "#brand/amounts.ts";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { pagePaths } from "#identity/paths.ts";
import { vouchersPath } from "#loyalty/member-tabs.ts";
import type { EmailContent } from "#platform/mail/mail.server.ts";
import { type EmailContext, pageUrl } from "./emails.server.ts";

/** Emails about what ends soon; days are the club's. */
export function expiryEmail(
  context: EmailContext,
  firstname: string,
  expiring: { points: number; day: string; missing: number },
): EmailContent {
  const { t, date } = textsOf[context.locale];
  const values = { points: expiring.points, date: date(expiring.day) };
  const short = expiring.missing > 0 ? t("mail.expiry.short", { missing: expiring.missing }) : undefined;
  return {
    helpUrl: pageUrl(context, pagePaths.help),
    subject: t("mail.expiry.subject", values),
    preheader: short ?? t("mail.expiry.preheader"),
    title: t("mail.expiry.title", { firstname }),
    paragraphs: [t("mail.expiry.points", values), short ?? t("mail.expiry.use")],
    action: { label: t(short ? "mail.expiry.see" : "mail.expiry.action"), url: pageUrl(context, vouchersPath) },
  };
}

/** To a former member, about all their points. */
export function keptPointsEmail(
  context: EmailContext,
  firstname: string,
  kept: { points: number; firstDay: string; day: string },
): EmailContent {
  const { t, date } = textsOf[context.locale];
  const ends =
    kept.firstDay === kept.day
      ? t("mail.kept.ends", { points: kept.points, date: date(kept.day) })
      : t("mail.kept.endsBetween", { first: date(kept.firstDay), last: date(kept.day) });
  return {
    helpUrl: pageUrl(context, pagePaths.help),
    subject: t("mail.kept.subject", { points: kept.points }),
    preheader: ends,
    title: t("mail.kept.title", { firstname }),
    paragraphs: [`${t("mail.kept.points", { points: kept.points })} ${ends}`, t("mail.kept.return")],
    action: { label: t("member.formerSubmit"), url: pageUrl(context, pagePaths.memberPage) },
  };
}

export function vouchersEndEmail(
  context: EmailContext,
  firstname: string,
  { vouchers, day }: { vouchers: { code: string; cents: number; day: string }[]; day: string },
): EmailContent {
  const { t, date, money } = textsOf[context.locale];
  const written = (cents: number) => money(amountOf(cents));
  const values = { count: vouchers.length, amount: written(vouchers[0]?.cents ?? 0), date: date(day) };
  return {
    helpUrl: pageUrl(context, pagePaths.help),
    subject: t("mail.voucherEnds.subject", values),
    preheader: t("mail.voucherEnds.preheader", { count: vouchers.length }),
    title: t("mail.voucherEnds.title", { count: vouchers.length, firstname }),
    paragraphs: [t("mail.voucherEnds.text", { count: vouchers.length })],
    list: vouchers.map((voucher) =>
      t("mail.voucherEnds.voucher", { code: voucher.code, amount: written(voucher.cents), date: date(voucher.day) }),
    ),
    action: {
      label: t("mail.voucherEnds.action"),
      url: `${pageUrl(context, pagePaths.memberPage)}?state=available#vouchers`,
    },
  };
}

export function statusEndsEmail(
  context: EmailContext,
  firstname: string,
  ends: { name: Record<Locale, string>; missing: number; months: number; pendingDays: number; day: string },
): EmailContent {
  const { t, date } = textsOf[context.locale];
  const { missing: points, months, pendingDays } = ends;
  const values = { tier: ends.name[context.locale], date: date(ends.day), points, months, pendingDays };
  return {
    helpUrl: pageUrl(context, pagePaths.help),
    subject: t("mail.statusEnds.subject", values),
    preheader: t("mail.statusEnds.preheader", values),
    title: t("mail.statusEnds.title", { firstname }),
    paragraphs: [t("mail.statusEnds.text", values), t("mail.statusEnds.keep", values)],
    action: { label: t("mail.statusEnds.action"), url: pageUrl(context, pagePaths.memberPage) },
  };
}
