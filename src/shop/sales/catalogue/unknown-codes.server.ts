import { sql } from "drizzle-orm";
import { textsOf } from "#brand/texts.server.ts";
import { defaultLocale, type Locale, localePath } from "#i18n/locale.ts";
import { defaultProgrammeId, programmeAt } from "#loyalty/programme/programme.server.ts";
import type { Jobs } from "#platform/jobs/jobs.server.ts";
import type { EmailContent } from "#platform/mail/mail.server.ts";
import { keptDays } from "#shop/sales/receipts.server.ts";
import { notifyOwners } from "#staff/notify-owners.server.ts";

const reportJob = "shop:unknown-codes";

export const unknownCodesSchedule = [{ name: reportJob, pattern: "50 2 * * *" }];

interface UnknownCode extends Record<string, unknown> {
  code: string;
  shop: string;
  lines: number;
}

/** Tells the owners once a day which codes tills have sent that the programme does not declare. The sales stand. */
export function unknownCodesJobs({ now, publicUrl }: { now: () => Date; publicUrl: string }): Jobs {
  return {
    async [reportJob](_, database) {
      const moment = now();
      const { rows } = await database.execute<UnknownCode>(sql`
        select code, h.name as shop, count(*)::integer as lines
        from shop_sale s
        join shop_receipt r on r.shop_id = s.shop_id and r.number = s.number
        join shop h on h.id = s.shop_id
        cross join jsonb_array_elements(s.lines) line
        cross join jsonb_array_elements_text(line -> 'codes') code
        where s.sold_at > ${moment.toISOString()}::timestamptz - make_interval(days => ${keptDays + 1})
          and r.arrived_at > ${moment.toISOString()}::timestamptz - interval '1 day'
          and not exists (
            select from ${programmeAt(defaultProgrammeId, moment)} p cross join jsonb_array_elements(p.line_codes) known
            where known ->> 'code' = code)
        group by 1, 2 order by 3 desc, 1, 2 limit 50`);
      if (rows.length === 0) return;
      const cause = `line-codes:${moment.toISOString().slice(0, 10)}`;
      await notifyOwners(database, cause, defaultLocale(), unknownCodesEmail(publicUrl, defaultLocale(), rows));
    },
  };
}

/** To head office: each code with its shop, and where codes are declared. */
export function unknownCodesEmail(publicUrl: string, locale: Locale, codes: readonly UnknownCode[]): EmailContent {
  const { t } = textsOf[locale];
  return {
    subject: t("mail.unknownCodes.subject", { count: codes.length }),
    preheader: t("mail.unknownCodes.preheader"),
    title: t("mail.unknownCodes.title"),
    paragraphs: [t("mail.unknownCodes.text")],
    list: codes.map(({ code, shop, lines }) => t("mail.unknownCodes.code", { code, shop, count: lines })),
    action: { label: t("mail.unknownCodes.action"), url: `${publicUrl}${localePath(locale, "/office/programme")}` },
    footnote: t("mail.unknownCodes.footnote"),
  };
}
