import type pg from "pg";
import { generateCardNumber } from "#loyalty/card/card.server.ts";
import { contentHash } from "./apply/receipts.server.ts";
import { type FileName, fileNames, fileOf, snake, tableOf } from "./package/columns.server.ts";
import type { Reason } from "./package/reasons.ts";

interface Rule {
  file: FileName;
  field: string;
  reason: Reason;
  /** Of the staged row `s`. */
  when: string;
  /** A value that is left out instead of the row. */
  clear?: string;
}

const isFirst = (file: FileName, columns: string): string =>
  `s.line in (select line from (select line, row_number() over (partition by ${columns} order by line) as nth
    from ${tableOf(file)} where ${columns
      .split(", ")
      .map((column) => `${column} is not null`)
      .join(" and ")}) d where nth > 1)`;
const ofMembersOnly: FileName[] = ["lots", "vouchers", "cards", "debts", "earned-days"];

/** Rules that look at more than one value, in their order: a row that is gone is no reason against another. */
function rules(source: string): Rule[] {
  const member = (condition: string) =>
    `exists (select from stage_members m where m.source_id = s.source_id and ${condition})`;
  return [
    { file: "members", field: "SourceId", reason: "duplicate", when: isFirst("members", "source_id") },
    { file: "members", field: "Email", reason: "duplicate_email", when: isFirst("members", "email") },
    { file: "members", field: "SourceId", reason: "too_many_points", when: tooManyPoints },
    { file: "members", field: "Status", reason: "status", when: "s.status is not null and s.rank is null" },
    {
      ...{ file: "members", field: "StatusUntil", reason: "status_end" },
      when: "s.status_until is null and s.rank > (select min(rank) from stage_tiers)",
    },
    { file: "members", field: "LeftAt", reason: "invalid", when: "s.left_at is not null and s.joined_at is null" },
    // A known address belongs to the same person when both have confirmed it.
    {
      ...{ file: "members", field: "Email", reason: "email_taken" },
      when: "s.fate is null and exists (select from customer_email e where e.email = s.email)",
    },
    {
      ...{ file: "members", field: "MobilePhone", reason: "duplicate_phone", clear: "mobile_phone = null" },
      when: isFirst("members", "mobile_phone"),
    },
    {
      ...{ file: "members", field: "NewsletterAt", reason: "consent_time", clear: "newsletter = false" },
      when: `s.newsletter and s.newsletter_at is null and not exists (
        select from stage_consents c where c.source_id = s.source_id and c.subject = 'newsletter' and c.given)`,
    },
    {
      ...{ file: "members", field: "NewsletterSmsAt", reason: "consent_time", clear: "newsletter_sms = false" },
      when: `s.newsletter_sms and s.newsletter_sms_at is null and not exists (
        select from stage_consents c where c.source_id = s.source_id and c.subject = 'sms' and c.given)`,
    },
    ...fileNames
      .filter((file) => file !== "members" && file !== "receipts")
      .flatMap((file): Rule[] => [
        {
          file,
          field: fileOf(file).key.at(-1) ?? "",
          reason: "duplicate",
          when: isFirst(file, fileOf(file).key.map(snake).join(", ")),
        },
        { file, field: "SourceId", reason: "unknown_member", when: `not ${member("true")}` },
        ...(ofMembersOnly.includes(file)
          ? [
              {
                file,
                field: "SourceId",
                reason: "not_a_member" as const,
                when: `not ${member("m.joined_at is not null")}`,
              },
            ]
          : []),
      ]),
    { file: "lots", field: "ExpiresAt", reason: "expiry_before_earning", when: "s.expires_at <= s.earned_at" },
    { file: "lots", field: "ExpiresAt", reason: "expired", when: "s.expires_at <= (select taken_at from stage_now)" },
    {
      file: "vouchers",
      field: "ExpiresAt",
      reason: "expired",
      when: "s.expires_at <= (select taken_at from stage_now)",
    },
    { file: "vouchers", field: "ExpiresAt", reason: "expiry_before_earning", when: "s.expires_at <= s.issued_at" },
    {
      ...{ file: "cards", field: "CardNumber", reason: "card_taken" },
      when: `exists (select from loyalty_card c where c.number = s.card_number
        and c.customer_id is distinct from (select m.customer_id from stage_members m where m.source_id = s.source_id))`,
    },
    {
      ...{ file: "vouchers", field: "Code", reason: "code_taken" },
      when: `exists (select from loyalty_voucher_code c where c.code = s.code
        and c.customer_id is distinct from (select m.customer_id from stage_members m where m.source_id = s.source_id))`,
    },
    {
      ...{ file: "social", field: "Subject", reason: "social_taken" },
      when: `exists (select from social_account a where a.provider = s.provider and a.provider_customer_id = s.subject
        and a.customer_id is distinct from (select m.customer_id from stage_members m where m.source_id = s.source_id))`,
    },
    ...receiptRules(source),
  ] as Rule[];
}

/** Of an account, and of a receipt: the database counts them in integers. */
const mostPoints = 1_000_000_000;
/** Added up they are the balance, what is pending, what is owed, and what counts for the status. */
const tooManyPoints = (
  [
    ["lots", "greatest(points, points_earned)"],
    ["debts", "points"],
    ["earned-days", "points"],
  ] satisfies [FileName, string][]
)
  .map(
    ([file, points]) =>
      `s.source_id in (select source_id from ${tableOf(file)} group by 1 having sum(${points}) > ${mostPoints})`,
  )
  .join(" or ");

/** A receipt is taken as a whole: what its lines are worth depends on all of them. */
function receiptRules(source: string): Rule[] {
  const receiptWith = (having: string) =>
    // A shop may be spelt in several ways: its name, or its number.
    `(s.shop_id, s.receipt_number) in (select shop_id, receipt_number from stage_receipts r group by 1, 2 having ${having})`;
  const rule = (field: string, reason: Reason, when: string): Rule => ({ file: "receipts", field, reason, when });
  return [
    rule("Shop", "unknown_shop", "s.shop_id is null"),
    rule("Points", "too_many_points", receiptWith(`sum(points) > ${mostPoints}`)),
    rule("Line", "incomplete", "(s.shop, s.receipt_number) in (select shop, number from stage_incomplete)"),
    rule(
      "Line",
      "duplicate",
      receiptWith("count(*) > count(distinct receipt_line) and (count(*) > 1 or count(receipt_line) > 0)"),
    ),
    rule(
      "ReceiptNumber",
      "invalid",
      receiptWith("count(distinct (sold_at, source_id, rule)) > 1 or min(sold_at) > (select taken_at from stage_now)"),
    ),
    rule(
      "SourceId",
      "unknown_member",
      "s.source_id is not null and not exists (select from stage_members m where m.source_id = s.source_id)",
    ),
    rule(
      "SourceId",
      "not_a_member",
      "exists (select from stage_members m where m.source_id = s.source_id and m.joined_at is null)",
    ),
    rule(
      "ReceiptNumber",
      "receipt_taken",
      `exists (select from shop_receipt r where r.shop_id = s.shop_id and r.number = s.receipt_number
        and r.content_hash <> ${contentHash(`'${source}'`)})
        or s.source_id is not null and exists (select from shop_sale sale
          where sale.shop_id = s.shop_id and sale.number = s.receipt_number and sale.claimed_at is not null)`,
    ),
  ];
}

/** Runs the rules. What they reject is deleted from the staging tables and written to `move_rejected`. */
export async function applyRules(client: pg.PoolClient, run: number, source: string): Promise<void> {
  for (const { file, field, reason, when, clear } of rules(source)) {
    const change = clear ? `update ${tableOf(file)} s set ${clear}` : `delete from ${tableOf(file)} s`;
    // An update returns the new value, which is none.
    const value = clear ? "null" : `s.${snake(field)}::text`;
    await client.query(
      `with bad as (${change} where ${when} returning s.line, s.source_id, ${value} as value)
       insert into move_rejected (run_id, file, line, field, value, reason, whole_row, source_id)
       select $1, $2, line, $3, left(value, 100), $4, $5, source_id from bad`,
      [run, `${file}.csv`, field, reason, clear === undefined],
    );
  }
  await client.query("update stage_members set fate = 'new' where fate is null");
  await client.query("analyze stage_members");
  await replaceTakenCards(client);
}

/** Of card numbers drawn at random some are drawn twice, or belong to a customer. */
async function replaceTakenCards(client: pg.PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ line: number }>(
      `select line from (select line, new_card, row_number() over (partition by new_card order by line) as nth
         from stage_members where fate in ('new', 'linked')) d
       where nth > 1 or exists (select from loyalty_card c where c.number = d.new_card)
         or exists (select from stage_cards c where c.card_number = d.new_card)`,
    );
    if (rows.length === 0) return;
    await client.query(
      `update stage_members s set new_card = drawn.number
       from unnest($1::integer[], $2::text[]) drawn (line, number) where drawn.line = s.line`,
      [rows.map(({ line }) => line), rows.map(() => generateCardNumber())],
    );
  }
}
