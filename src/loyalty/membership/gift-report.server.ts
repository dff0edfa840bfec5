import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import { textsOf } from "#brand/texts.server.ts";
import { defaultLocale, type Locale, localePath } from "#i18n/locale.ts";
import { welcomeNetworks } from "#loyalty/ledger/account.tables.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import type { Jobs } from "#platform/jobs/jobs.server.ts";
import { clientNetwork } from "#platform/limits/limits.server.ts";
import type { EmailContent } from "#platform/mail/mail.server.ts";
import { notifyOwners } from "#staff/notify-owners.server.ts";

/** As many welcome gifts an hour from one network are nothing unusual: a whole shop's customers may share one. */
const usualGifts = 30;
const hourMs = 3_600_000;

/**
 * Counts a welcome gift by the network it was given to, as a keyed hash (db/functions/loyalty_hash.sql). The gift stays given; when there were many within an hour, the
 * owners get an email with the accounts, once an hour.
 */
export async function countGift(
  queries: Queries,
  customerId: number,
  { now, publicUrl, address }: { now: Date; publicUrl: string; address: string },
): Promise<void> {
  const network = clientNetwork(address);
  const [counted] = await queries
    .insert(welcomeNetworks)
    .values({ customerId, network: sql`loyalty_hash(${network})`, givenAt: now })
    .returning({ network: welcomeNetworks.network });
  if (!counted) throw new Error("The gift was not counted.");
  const given = await queries
    .select({ customerId: welcomeNetworks.customerId })
    .from(welcomeNetworks)
    .where(
      and(eq(welcomeNetworks.network, counted.network), gt(welcomeNetworks.givenAt, new Date(now.getTime() - hourMs))),
    )
    .orderBy(desc(welcomeNetworks.givenAt))
    .limit(usualGifts + 1);
  if (given.length <= usualGifts) return;
  const hour = now.toISOString().slice(0, 13);
  await notifyOwners(
    queries,
    `gifts:${counted.network.toString("hex").slice(0, 16)}:${hour}`,
    defaultLocale(),
    manyGiftsEmail(
      publicUrl,
      defaultLocale(),
      network,
      given.map(({ customerId: id }) => id),
    ),
  );
}

/** To head office: the network, and the accounts that got the gift, each with its record in the back office. */
export function manyGiftsEmail(
  publicUrl: string,
  locale: Locale,
  network: string,
  customerIds: number[],
): EmailContent {
  const { t } = textsOf[locale];
  return {
    subject: t("mail.manyGifts.subject", { count: usualGifts }),
    preheader: t("mail.manyGifts.preheader", { network }),
    title: t("mail.manyGifts.title"),
    paragraphs: [t("mail.manyGifts.text", { count: usualGifts, network }), t("mail.manyGifts.more")],
    list: customerIds.map((id) => `${publicUrl}${localePath(locale, `/office/customer?id=${id}`)}`),
    footnote: t("mail.manyGifts.footnote"),
  };
}

const cleanUpJob = "loyalty:gift-networks";

export const giftReportSchedule = [{ name: cleanUpJob, pattern: "35 2 * * *" }];

export function giftReportJobs({ now }: { now: () => Date }): Jobs {
  return {
    async [cleanUpJob](_, database) {
      await database
        .delete(welcomeNetworks)
        .where(lt(welcomeNetworks.givenAt, new Date(now().getTime() - 24 * hourMs)));
    },
  };
}
