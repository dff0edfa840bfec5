import { sql } from "drizzle-orm";
import { amountOf } from "#brand/amounts.ts";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { pagePaths } from "#identity/paths.ts";
import { type EmailContext, pageUrl } from "#loyalty/emails/emails.server.ts";
import type { StaffCaller } from "#platform/api/callers.server.ts";
import { type EmailContent, queueMail } from "#platform/mail/mail.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { auditSale } from "#shop/sales/at-till.server.ts";
import type { PricedLine } from "#shop/sales/purchase/basket.server.ts";
import { findExchange } from "#shop/sales/return/return-rows.server.ts";
import type { UsedVoucher } from "#shop/sales/sales.tables.server.ts";
import type { SellingDependencies } from "#shop/sales/selling.server.ts";

interface SoldRow extends Record<string, unknown> {
  customerId: number;
  email: string;
  firstname: string;
  language: Locale;
  confirmed: boolean;
  shop: string;
  soldAt: string;
  lines: PricedLine[];
  vouchers: UsedVoucher[];
  earned: number;
  arrivesAt: string | null;
}

/**
 * Sends a sale of today to the address of its customer's account, in the customer's language. The customer asks for it at the
 * till, so no consent is needed; an address that no one has confirmed may be a stranger's. At most one a minute for a receipt.
 */
export async function emailReceipt(deps: SellingDependencies, caller: StaffCaller, number: string, now: Date) {
  const at = sql`${now.toISOString()}::timestamptz`;
  return deps.database.transaction(async (tx) => {
    const { rows } = await tx.execute<SoldRow>(sql`
      select c.id::float8 as "customerId", c.email, c.firstname, c.language, c.email_verified_at is not null as confirmed,
        shop.name as shop, s.sold_at as "soldAt", s.lines, s.vouchers, s.earned, s.arrives_at as "arrivesAt"
      from shop_sale s join shop on shop.id = s.shop_id join customer c on c.id = s.customer_id and not c.guest
      where s.shop_id = ${caller.shopId} and s.key_prefix = ${caller.prefix} and s.number = ${number}
        and club_day(s.sold_at) = club_day(${at}) and not shop_sale_voided(s.shop_id, s.number)`);
    const [sold] = rows;
    if (!sold) throw new Refusal("receipt_not_found");
    if (!sold.confirmed) throw new Refusal("email_unconfirmed");
    const { customerId, language: locale } = sold;
    const exchange = await findExchange(tx, { shopId: caller.shopId, number });
    const creditCents = exchange?.state === "applied" ? exchange.refunds.reduce((sum, { cents }) => sum + cents, 0) : 0;
    const minute = Math.floor(now.getTime() / 60_000);
    await queueMail(tx, {
      cause: `receipt:${caller.shopId}:${number}:${minute}`,
      customerId,
      to: sold.email,
      locale,
      content: receiptEmail({ locale, publicUrl: deps.publicUrl }, sold.firstname, {
        ...sold,
        number,
        creditCents,
        soldAt: new Date(sold.soldAt),
        arrivesAt: sold.arrivesAt === null ? null : new Date(sold.arrivesAt),
      }),
    });
    await auditSale(tx, caller, now, { action: "receipt_emailed", customerId, after: { receipt: number } });
    return {};
  });
}

interface EmailedSale extends Pick<SoldRow, "shop" | "vouchers" | "earned"> {
  number: string;
  creditCents: number;
  soldAt: Date;
  lines: readonly Pick<PricedLine, "line" | "paidCents" | "shareCents">[];
  arrivesAt: Date | null;
}

export function receiptEmail(context: EmailContext, firstname: string, sale: EmailedSale): EmailContent {
  const { t, date, money } = textsOf[context.locale];
  const exact = (cents: number) => money(`${cents < 0 ? "-" : ""}${amountOf(Math.abs(cents))}`, true);
  const { number, shop, earned, arrivesAt } = sale;
  const paidCents = sale.lines.reduce((sum, line) => sum + line.paidCents, 0) - sale.creditCents;
  const values = { number, shop, date: date(sale.soldAt) };
  return {
    helpUrl: pageUrl(context, pagePaths.help),
    subject: t("mail.receipt.subject", values),
    preheader: t("mail.receipt.preheader", { amount: exact(paidCents) }),
    title: t("mail.receipt.title", { firstname }),
    paragraphs: [
      t("mail.receipt.sale", values),
      ...(earned > 0
        ? [
            arrivesAt
              ? t("mail.receipt.pending", { points: earned, date: date(arrivesAt) })
              : t("mail.receipt.points", { points: earned }),
          ]
        : []),
    ],
    list: [
      ...sale.lines.map(({ line, ...of }) =>
        t("mail.receipt.line", { number: line, amount: exact(of.paidCents + of.shareCents) }),
      ),
      ...sale.vouchers.map(({ takenCents }) => t("mail.receipt.voucher", { amount: exact(-takenCents) })),
      ...(sale.creditCents > 0 ? [t("mail.receipt.credit", { amount: exact(-sale.creditCents) })] : []),
      t("mail.receipt.total", { amount: exact(paidCents) }),
    ],
    action: { label: t("mail.receipt.action"), url: pageUrl(context, pagePaths.memberPage) },
    footnote: t("mail.receipt.note"),
  };
}
