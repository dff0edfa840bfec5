interface Column {
  /** Its value, as SQL. */
  sql: string;
  type: "integer" | "text" | "moment" | "boolean";
  meaning: string;
}

interface Subject {
  about: string;
  /** What one row is known by: of several rows with the same key the one with the highest Sequence counts. */
  key: readonly string[];
  from: string;
  /** The transaction that wrote the row, or changed it last. */
  written: string;
  where?: string;
  columns: Readonly<Record<string, Column>>;
}

const integer = (sql: string, meaning: string): Column => ({ sql, type: "integer", meaning });
const text = (sql: string, meaning: string): Column => ({ sql, type: "text", meaning });
const moment = (sql: string, meaning: string): Column => ({ sql, type: "moment", meaning });
const boolean = (sql: string, meaning: string): Column => ({ sql, type: "boolean", meaning });

const customer = (sql: string) => integer(sql, "The member; null when no one was named. Tombstones name the same ids");
const cents = (sql: string, meaning: string) => integer(sql, `${meaning}, in the smallest unit of the currency`);
const paid = "(select sum((line ->> 'paidCents')::bigint) from jsonb_array_elements(s.lines) line)";
const refunded = "(select coalesce(sum((refund ->> 'cents')::bigint), 0) from jsonb_array_elements(r.refunds) refund)";
const ofReceipt = "e.cause ~ '^(purchase|return|exchange|void|amend):\\d{1,9}:'";

/**
 * What the data export holds: one definition makes the files and the table of columns (docs/warehouse.md). No names,
 * addresses, texts of staff or codes of vouchers.
 */
const subjects = {
  members: {
    about: "Members of the club, without contact data",
    key: ["IdCustomer"],
    from: "loyalty_account a",
    written: "a.written_in",
    where: "a.state <> 'erased'",
    columns: {
      IdCustomer: integer("a.customer_id", "The member"),
      State: text("a.state", "`active`, or `left` for a former member"),
      MemberSince: moment("a.member_since", "When the member joined"),
      LeftAt: moment("a.left_at", "When the member left"),
    },
  },
  tombstones: {
    about: "Customers who were erased, or became part of another account: delete every row of theirs, in all subjects",
    key: ["IdCustomer"],
    from: "loyalty_account a left join customer_merge m on m.customer_id = a.customer_id",
    written: "a.written_in",
    where: "a.state = 'erased'",
    columns: {
      IdCustomer: integer("a.customer_id", "The customer"),
      ErasedAt: moment("a.erased_at", "When"),
      MergedInto: integer("m.into_id", "The account that holds their points and receipts since; null when erased"),
    },
  },
  entries: {
    about: "Movements of points; a row never changes",
    key: ["IdEntry"],
    from: "loyalty_entry e",
    written: "e.written_in",
    columns: {
      IdEntry: integer("e.id", "The entry"),
      IdCustomer: customer("e.customer_id"),
      At: moment("e.at", "When it happened, such as the moment of the sale"),
      RecordedAt: moment("e.recorded_at", "When it was booked: month end goes by this"),
      Kind: text("e.kind", "Why points moved"),
      Points: integer("e.points", "Points, less than zero when they were taken"),
      ExpiresAt: moment("e.expires_at", "When points that were credited expire"),
      IdShop: integer(
        `case when ${ofReceipt} then split_part(e.cause, ':', 2)::integer end`,
        "The shop of the sale or return",
      ),
      ReceiptNumber: text(
        `case when ${ofReceipt} then substr(e.cause, length(split_part(e.cause, ':', 1) || split_part(e.cause, ':', 2)) + 3) end`,
        "Its receipt",
      ),
      Copied: boolean("e.copied", "Copied by a merge from another account, where it was counted"),
    },
  },
  sales: {
    about: "Sales; a claim, a corrected clock or arrived points change one",
    key: ["IdShop", "ReceiptNumber"],
    from: "shop_sale s",
    written: "s.written_in",
    columns: {
      IdShop: integer("s.shop_id", "The shop"),
      ReceiptNumber: text("s.number", "The receipt"),
      SoldAt: moment("s.sold_at", "When it was sold"),
      IdCustomer: customer("s.customer_id"),
      PaidCents: cents(paid, "What was paid"),
      Earned: integer("s.earned", "Points that it brought"),
      IdTier: integer("s.tier_id", "The status with which it was computed"),
      IdCampaign: integer("s.campaign_id", "The campaign that added points"),
      CampaignPoints: integer("s.campaign_points", "How many of them"),
      IdEntry: integer("s.entry_id", "The entry that credited the points"),
    },
  },
  returns: {
    about: "Returns, exchanges and voided sales; a decision of staff changes one",
    key: ["IdShop", "ReceiptNumber", "Kind"],
    from: "shop_return r left join shop_sale s on s.shop_id = r.sale_shop_id and s.number = r.sale_number",
    written: "r.written_in",
    columns: {
      IdShop: integer("r.shop_id", "The shop that took it back"),
      ReceiptNumber: text("r.number", "The receipt of the return"),
      Kind: text("r.kind", "`return`, `exchange`, `void` or `amend`"),
      ReturnedAt: moment("r.returned_at", "When"),
      IdCustomer: customer("s.customer_id"),
      IdShopOfSale: integer("r.sale_shop_id", "The shop of the sale"),
      ReceiptNumberOfSale: text("r.sale_number", "The receipt of the sale"),
      State: text("r.state", "`applied`, `waiting`, `conflict` or `undone`"),
      RefundedCents: cents(refunded, "What was refunded"),
      Taken: integer("r.taken", "Points that it took"),
    },
  },
  vouchers: {
    about: "Vouchers as they were issued",
    key: ["IdVoucher"],
    from: "loyalty_voucher v",
    written: "v.written_in",
    columns: {
      IdVoucher: integer("v.id", "The voucher, which is the entry that paid for it"),
      IdCustomer: customer("v.customer_id"),
      ObtainedAt: moment("v.obtained_at", "When it was obtained"),
      ExpiresAt: moment("v.expires_at", "The last moment at which it can be used"),
      AmountCents: cents("v.amount_cents", "Its value"),
      Points: integer("v.points", "What it cost"),
      IdReward: integer("v.reward_id", "The reward; null for one of another club or of a campaign"),
      IdCampaign: integer("v.campaign_id", "The campaign that gave it"),
      UsedAt: moment("v.used_at", "When it was used at another club, as that club reported"),
    },
  },
  voucher_uses: {
    about: "Vouchers that were used at a till",
    key: ["IdVoucher"],
    from: "loyalty_voucher_use u join loyalty_voucher v on v.customer_id = u.customer_id and v.code = u.code",
    written: "u.written_in",
    columns: {
      IdVoucher: integer("v.id", "The voucher"),
      IdCustomer: customer("u.customer_id"),
      UsedAt: moment("u.used_at", "When it was used"),
      RecordedAt: moment("u.recorded_at", "When the use was booked"),
      IdShop: integer("u.shop_id", "The shop"),
      ReceiptNumber: text("u.receipt_number", "The receipt"),
      TakenCents: cents("u.taken_cents", "What it took off"),
    },
  },
  voucher_cancellations: {
    about: "Vouchers that were cancelled because their points were needed for a return",
    key: ["IdVoucher"],
    from: "loyalty_voucher_cancel x join loyalty_voucher v on v.customer_id = x.customer_id and v.code = x.code",
    written: "x.written_in",
    where: "x.cancelled_at is not null",
    columns: {
      IdVoucher: integer("v.id", "The voucher"),
      IdCustomer: customer("x.customer_id"),
      CancelledAt: moment("x.cancelled_at", "When"),
    },
  },
  campaigns: {
    about: "Campaigns; approval and end change one",
    key: ["IdCampaign"],
    from: "campaign c",
    written: "c.written_in",
    columns: {
      IdCampaign: integer("c.id", "The campaign"),
      Name: text("c.name ->> 'en'", "Its name"),
      StartsAt: moment("c.starts_at", "From when"),
      EndsAt: moment("coalesce(c.ended_at, c.ends_at)", "Until when"),
      ApprovedAt: moment("c.approved_at", "When a second person approved it; null: it never counted"),
      IdTier: integer("c.tier_id", "For one status alone"),
      IdShop: integer("c.shop_id", "In one shop alone"),
      MultiplierHundredths: integer("c.multiplier_hundredths", "Points times this, in hundredths"),
      ExtraPoints: integer("c.extra_points", "Points beside those of the purchase"),
      VoucherCents: cents("c.voucher_cents", "The voucher that it gives"),
    },
  },
  campaign_members: {
    about: "Whom a campaign could reach when it began",
    key: ["IdCampaign", "IdCustomer"],
    from: "campaign_member m",
    written: "m.written_in",
    columns: {
      IdCampaign: integer("m.campaign_id", "The campaign"),
      IdCustomer: integer("m.customer_id", "The member"),
      Control: boolean("m.control", "In the control group: the member did not get it"),
    },
  },
  segment_exports: {
    about: "Files that were made of a segment for a mailing tool",
    key: ["IdExport"],
    from: "segment_export x join segment g on g.id = x.segment_id",
    written: "x.written_in",
    columns: {
      IdExport: integer("x.id", "The file"),
      IdSegment: integer("x.segment_id", "The segment"),
      Segment: text("g.name", "Its name"),
      Version: integer("x.version", "The version of its rules"),
      Channel: text("x.channel", "`email` or `sms`"),
      ExportedAt: moment("x.exported_at", "When"),
    },
  },
  segment_members: {
    about: "The members in each of those files",
    key: ["IdExport", "IdCustomer"],
    from: "segment_export_member m join segment_export x on x.id = m.export_id",
    written: "x.written_in",
    columns: {
      IdExport: integer("m.export_id", "The file"),
      IdCustomer: integer("m.customer_id", "The member"),
    },
  },
} as const satisfies Record<string, Subject>;

export type SubjectName = keyof typeof subjects;
export const subjectNames = Object.keys(subjects) as SubjectName[];
export const subjectOf = (name: SubjectName): Subject => subjects[name];

/** The columns with their meaning, for docs/warehouse.md. */
export function describeColumns(): string {
  return subjectNames
    .map((name) => {
      const { about, key, columns } = subjectOf(name);
      const rows = Object.entries(columns).map(
        ([column, { type, meaning }]) => `| \`${column}\` | ${type} | ${meaning} |`,
      );
      const sequence = "| `Sequence` | integer | The transaction that wrote the row: in a manifest's range |";
      return [
        `### ${name}`,
        `${about}. Key: ${key.map((column) => `\`${column}\``).join(", ")}.`,
        ["| column | type | meaning |", "|---|---|---|", ...rows, sequence].join("\n"),
      ].join("\n\n");
    })
    .join("\n\n");
}
