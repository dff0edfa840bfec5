import { sql } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { createUnsubscribeLinks } from "#identity/unsubscribe/unsubscribe.server.ts";
import { generateVoucherCode } from "#loyalty/card/card.server.ts";
import { campaignVoucherEmail } from "#loyalty/emails/voucher-emails.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { queueMail } from "#platform/mail/mail.server.ts";
import type { campaigns } from "./campaign.tables.server.ts";
import { lots } from "./ledger.tables.server.ts";

const batchSize = 500;

/**
 * The vouchers of a campaign for the members it reaches, who were written down before (campaign_member), one member at a
 * time: no transaction locks two accounts. Killed half-way or run twice it goes on with those who have none yet
 * (db/functions/loyalty_campaign_voucher.sql). One that is ended meanwhile gives no more.
 */
export async function giveCampaignVouchers(
  database: Database,
  campaign: Pick<typeof campaigns.$inferSelect, "id" | "text">,
  { publicUrl, now }: { publicUrl: string; now: () => Date },
): Promise<void> {
  const unsubscribe = createUnsubscribeLinks(database);
  for (let last = 0; ; ) {
    const { rows } = await database.execute<{ id: string }>(sql`
      select m.customer_id as id from campaign_member m
      where m.campaign_id = ${campaign.id} and not m.control and m.customer_id > ${last} and not exists (
        select from loyalty_entry e where e.customer_id = m.customer_id and e.cause = 'campaign:' || ${campaign.id}::integer)
      order by m.customer_id limit ${batchSize}`);
    for (const { id } of rows)
      await giveVoucher(database, campaign, Number(id), { publicUrl, unsubscribe, now: now() });
    if (rows.length < batchSize) return;
    last = Number(rows.at(-1)?.id ?? last);
  }
}

/** The voucher and its email, where the member has agreed to offers. */
async function giveVoucher(
  database: Database,
  { id, text }: Pick<typeof campaigns.$inferSelect, "id" | "text">,
  customerId: number,
  {
    publicUrl,
    unsubscribe,
    now,
  }: { publicUrl: string; unsubscribe: ReturnType<typeof createUnsubscribeLinks>; now: Date },
): Promise<void> {
  await database.transaction(async (tx) => {
    for (;;) {
      const code = generateVoucherCode();
      const [given] = await tx
        .select({
          outcome: sql<"done" | "repeated" | "none" | "code_taken">`outcome`,
          voucherId: sql`voucher_id`.mapWith(Number),
          amountCents: sql<number>`amount_cents`,
          expiresAt: sql`expires_at`.mapWith(lots.expiresAt),
          email: sql<string | null>`email`,
          subject: sql<string>`(select c.subject from customer c where c.id = ${customerId}::bigint)`,
          firstname: sql<string>`firstname`,
          locale: sql<Locale>`language`,
        })
        .from(
          sql`loyalty_campaign_voucher(${customerId}::bigint, ${id}::integer, ${code}::text, ${now.toISOString()}::timestamptz)`,
        );
      if (given?.outcome === "code_taken") continue;
      if (given?.outcome !== "done" || given.email === null) return;
      const { voucherId, amountCents, expiresAt, email: to, firstname, locale, subject } = given;
      const unsubscribeUrl = await unsubscribe.url(publicUrl, locale, subject);
      const voucher = { text: text[locale], amountCents, code, expiresAt, unsubscribeUrl };
      const content = campaignVoucherEmail({ locale, publicUrl }, firstname, voucher);
      return queueMail(tx, { cause: `voucher:${customerId}:${voucherId}`, customerId, to, locale, content });
    }
  });
}

/**
 * Of an account that turns out to be the second of its mailbox: accounts of one mailbox get one voucher together. They cost no
 * points, so there is no entry, and none is used or held, which takes a confirmed address.
 */
export async function cancelCampaignVouchers(queries: Queries, customerId: number, now: Date): Promise<void> {
  const moment = sql`${now.toISOString()}::timestamptz`;
  await queries.execute(sql`
    insert into loyalty_voucher_cancel (code, customer_id, marked_at, cancelled_at)
    select v.code, v.customer_id, ${moment}, loyalty_booked_at(${moment}) from loyalty_voucher v
    where v.customer_id = ${customerId} and v.campaign_id is not null and v.used_at is null and v.expires_at > ${moment}
      and not exists (select from loyalty_voucher_use u where u.code = v.code)
    on conflict do nothing`);
}
