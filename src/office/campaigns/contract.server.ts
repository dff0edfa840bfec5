import { z } from "zod";
import { typedCents } from "#brand/amounts.ts";
import { fields } from "#identity/fields/fields.server.ts";
import { campaignMetrics } from "#loyalty/ledger/campaign.tables.server.ts";
import { type LineRule, priceTypes } from "#loyalty/programme/line-rule.ts";
import { lineRuleShape } from "#loyalty/programme/parse-rules.server.ts";
import type { Segment } from "#loyalty/segments/segment.ts";
import { integerId, language, nothing } from "#office/fields.server.ts";
import { endpoint, fieldTypes, money } from "#platform/api/endpoint.server.ts";
import type { FieldCode } from "#platform/refusal.ts";
import * as calls from "./calls.ts";

const moment = z.iso.datetime();
/** What two people may give (decision 0047), as checks in the table. */
export const mostExtraPoints = 10_000;
export const mostHundredths = 1_000;
/** Two years. */
const mostVoucherDays = 730;
const whole = (most: number, code: FieldCode = "invalid") =>
  fieldTypes
    .text(6)
    .refine((text) => /^[1-9]\d*$/.test(text) && Number(text) <= most, code)
    .transform(Number);
/** Whole hundredths, above 1. */
const multiplier = () =>
  fieldTypes
    .text(5)
    .refine((text) => /^\d{1,2}([.,]\d{1,2})?$/.test(text), "multiplier")
    .transform((text) => Math.round(Number(text.replace(",", ".")) * 100))
    .refine((hundredths) => hundredths > 100 && hundredths <= mostHundredths, "multiplier");
const upTo = (most: number) =>
  fieldTypes
    .text(3)
    .refine((text) => /^\d+$/.test(text) && Number(text) <= most, "invalid")
    .transform(Number);
/** A whole hour of the day. */
const hour = (least: number, most: number) =>
  fieldTypes
    .text(16)
    .refine((text) => /^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= most, "hour")
    .transform(Number);
/** A rule about lines, as JSON; what is in it is checked by the programme's rules. */
const lineRule = () =>
  fieldTypes.text(6_000).transform((text, context): LineRule => {
    try {
      return lineRuleShape.parse(JSON.parse(text));
    } catch {
      // No JSON, or another form of it: the field is wrong.
      context.addIssue("invalid");
      return z.NEVER;
    }
  });
/** Days of the week, Monday is 1. All seven are the same as none. */
const weekdays = () =>
  fieldTypes
    .text(13)
    .refine((text) => /^[1-7](,[1-7])*$/.test(text), "invalid")
    .transform((text) => [...new Set(text.split(",").map(Number))].sort())
    .transform((days) => (days.length === 7 ? undefined : days));
/** An amount as a person types it, in cents. */
const typedAmount = () =>
  fieldTypes
    .text(16)
    .transform((text) => typedCents(text) ?? 0)
    .refine((cents) => cents > 0, "invalid");
const metric = () => z.enum(campaignMetrics, { error: () => "invalid" });
const inThreeLanguages = z.object({ fr: z.string(), en: z.string(), de: z.string() });

/** Of a hold-out. */
const year = { Percent: z.int(), From: moment, Until: moment };
/** Two groups compared. */
const judged = {
  Groups: z.array(
    z.object({
      Control: z.boolean().describe("Those who did not get it"),
      Members: z.int(),
      Mean: z.number().describe("Of the metric: cents, purchases, or the part of members who bought"),
      RevenueCents: z.number().describe("Less returns"),
    }),
  ),
  Difference: z
    .object({ Value: z.number(), Low: z.number(), High: z.number() })
    .nullable()
    .describe("Of the means, with its 95 % interval"),
  Verdict: z
    .enum(["more", "less", "unclear", "too_few"])
    .nullable()
    .describe("unclear: it may be chance; too_few: a group is too small to compare"),
  MoreWeeks: z.int().nullable().describe("Of an unclear one: how much longer it would have taken to tell"),
  CostCents: z.int().nullable().describe("What its points are worth, or its vouchers have taken off"),
  CostPerMemberCents: z.int().nullable(),
  Chart: z.string().nullable().describe("SVG; null where groups are not compared"),
};

const price = () =>
  z
    .object({
      Members: z.int().describe("Who would get it"),
      Cost: z
        .object({ Cents: z.int(), LowCents: z.int(), HighCents: z.int() })
        .nullable()
        .describe("With a 95 % interval; null: too little is known"),
      MostCents: z.int().nullable().describe("By its limit, or if every voucher were used"),
    })
    .nullable();

const newCampaign = {
  NameFr: fields.line(60).optional().describe("Needed, as are the others, in the languages of the brand"),
  NameEn: fields.line(60).optional(),
  NameDe: fields.line(60).optional(),
  TextFr: fields.line(160).optional(),
  TextEn: fields.line(160).optional(),
  TextDe: fields.line(160).optional(),
  Multiplier: multiplier().optional().describe("Such as 2 or 1.5; at most 10"),
  ExtraPoints: whole(mostExtraPoints, "extra_points").optional().describe(`At most ${mostExtraPoints}`),
  VoucherAmount: typedAmount().optional().describe("A voucher for each member it reaches when it begins: {amount}"),
  VoucherDays: whole(mostVoucherDays).optional().describe("How many days that is good for; needed with it"),
  MinimumAmount: typedAmount()
    .optional()
    .describe("What must be paid at least on lines that earn, or to use the voucher: {amount}"),
  LimitPoints: whole(999_999).optional().describe("In all; the sale that reaches it gets the remainder"),
  MemberLimitPoints: whole(999_999).optional().describe("For one member"),
  LimitAmount: typedAmount()
    .optional()
    .describe("In place of LimitPoints: what these are worth at the launch, or vouchers together"),
  MemberLimitAmount: typedAmount().optional().describe("In place of MemberLimitPoints"),
  From: fieldTypes.date().optional().describe("Needed: the first day, today at the earliest"),
  To: fieldTypes.date().optional().describe("Needed: the last day"),
  IdLoyaltyTier: integerId().optional(),
  IdShop: integerId().optional(),
  IdleMonths: whole(60).optional().describe("Who has not bought for so many months"),
  LineRule: lineRule()
    .optional()
    .describe(
      'JSON: { "priceTypes": ["full"], "anyCode": ["knitwear"], "noCode": ["archive"], "minimumLineAmount": "20.00" }',
    ),
  IdSegment: integerId().optional().describe("Who is in it at the time of the sale, by its version of now"),
  Weekdays: weekdays().optional().describe("Such as 6,7; Monday is 1"),
  FromHour: hour(0, 23).optional().describe("By the club's clock"),
  ToHour: hour(1, 24).optional().describe("Not included"),
  BirthdayDays: upTo(31).optional().describe("So many days before and after the birthday; 0: on the day"),
  ControlPercent: upTo(50)
    .optional()
    .describe("So many of those it could reach do not get it, to see what it brings; absent: 10"),
  ControlNote: fields.line(200).optional().describe("Why there is no control group; needed where it is 0"),
  Metric: metric().optional().describe("What is compared, for each member; absent: revenue"),
  MeasuredDays: upTo(90).optional().describe("How many days after the last one are measured too; absent: 14"),
  ...language,
};

/** Campaigns: more points for a period, or a voucher. */
export const campaignsContract = {
  [calls.listCampaigns]: endpoint({
    summary: "Every campaign with what it has cost so far, the latest first.",
    access: "staff",
    roles: ["owner", "marketing"],
    input: z.object(language),
    response: z.object({
      Today: z.iso.date(),
      Campaigns: z.array(
        z.object({
          IdCampaign: z.int(),
          Name: inThreeLanguages,
          Text: inThreeLanguages,
          Multiplier: z.number().nullable(),
          ExtraPoints: z.int().nullable(),
          ExtraCents: z.int().nullable().describe("What these points are worth, for each purchase"),
          VoucherAmount: money.nullable().describe("The voucher that it gives when it begins"),
          VoucherDays: z.int().nullable().describe("How long that is good for"),
          VoucherLimit: z.int().nullable().describe("How many it gives at most"),
          Vouchers: z.int().describe("That it has given"),
          MinimumAmount: money.nullable(),
          LimitPoints: z.int().nullable().describe("The most points that it gives in all"),
          GivenPoints: z.int().describe("Of a limited one: those it has given; returns do not lower it"),
          MemberLimitPoints: z.int().nullable().describe("The most points that it gives to one member"),
          StartsAt: moment.describe("Of one that was approved later than its first day, that moment"),
          EndsAt: moment.describe("Of one that was ended early, that moment"),
          State: z
            .enum(["waiting", "planned", "running", "over", "refused", "withdrawn"])
            .describe("waiting: for a colleague to approve it; withdrawn: by who asked, before that"),
          AddedBy: z.string(),
          Mine: z.boolean().describe("The person who launched it cannot approve it"),
          TierName: z.string().nullable(),
          ShopName: z.string().nullable(),
          IdleMonths: z.int().nullable(),
          LineRule: z.custom<LineRule | null>().describe(`Which lines it counts for: ${priceTypes.join(", ")}, codes`),
          SegmentName: z.string().nullable(),
          SegmentDefinition: z.custom<Segment | null>().describe("The version that it asks for"),
          Weekdays: z.array(z.int()).nullable().describe("Monday is 1"),
          FromHour: z.int().nullable(),
          ToHour: z.int().nullable(),
          BirthdayDays: z.int().nullable(),
          ControlPercent: z.int(),
          Price: price().describe("What it would cost by the sales of the year before, when it was asked for"),
          Sales: z.int().describe("That it counted for; of vouchers those used"),
          Points: z.int().describe("That it added, less those that returns took back"),
          Cents: z.int().describe("What these points are worth, or what vouchers have taken off"),
        }),
      ),
      Tiers: z.array(z.object({ IdLoyaltyTier: z.int(), Name: z.string() })),
      Shops: z.array(z.object({ IdShop: z.int(), Name: z.string() })),
      Segments: z.array(z.object({ IdSegment: z.int(), Name: z.string() })),
      LineCodes: z.array(z.object({ code: z.string(), name: inThreeLanguages })),
    }),
    refusals: [],
  }),
  [calls.readResult]: endpoint({
    summary:
      "What a campaign brought, compared with members who did not get it; until its window ends, only that it runs.",
    access: "staff",
    roles: ["owner", "marketing"],
    input: z.object({ IdCampaign: integerId(), ...language }),
    response: z.object({
      Name: inThreeLanguages,
      State: z.enum(["running", "measured"]),
      Metric: metric(),
      From: moment,
      Until: moment,
      ControlPercent: z.int(),
      ControlNote: z.string().nullable(),
      Voucher: z.boolean().describe("It gave vouchers: revenue is what was paid after them"),
      ...judged,
    }),
    refusals: ["not_found"],
  }),
  [calls.priceCampaign]: endpoint({
    summary:
      "What such a campaign would cost by the sales of the year before; nothing is stored. Its texts may be missing.",
    access: "staff",
    roles: ["owner", "marketing"],
    input: z.object(newCampaign),
    response: z.object({ Price: price().describe("null: asking takes too long") }),
    refusals: ["not_found"],
  }),
  [calls.addCampaign]: endpoint({
    summary:
      "A new campaign, for sales from its start on: at once, or from a later day. It waits until a colleague approves it, and is never changed. One of Multiplier, ExtraPoints and VoucherAmount.",
    access: "staff",
    roles: ["owner", "marketing"],
    fresh: true,
    input: z.object(newCampaign),
    response: z.object({ IdCampaign: z.int() }),
    refusals: ["not_found"],
  }),
  [calls.approveCampaign]: endpoint({
    summary: "Approves what a colleague launched: it counts for sales from now on, or from its first day.",
    access: "staff",
    roles: ["owner", "marketing"],
    fresh: true,
    input: z.object({ IdCampaign: integerId(), ...language }),
    response: nothing,
    refusals: ["not_found", "second_person", "already_decided"],
  }),
  [calls.endCampaign]: endpoint({
    summary: "A campaign ends now; one that has not begun never does. Sales made before keep their points.",
    access: "staff",
    roles: ["owner", "marketing"],
    fresh: true,
    input: z.object({ IdCampaign: integerId(), ...language }),
    response: nothing,
    refusals: ["not_found"],
  }),
  [calls.readHoldOut]: endpoint({
    summary: "The part of all members whom no campaign reaches this year, and what the years before have shown.",
    access: "staff",
    roles: ["owner", "marketing"],
    input: z.object(language),
    response: z.object({
      Running: z.object(year).nullable(),
      Results: z.array(z.object({ ...year, ...judged })).describe("The latest first; revenue is compared"),
    }),
    refusals: [],
  }),
  [calls.startHoldOut]: endpoint({
    summary:
      "For a year from now no campaign reaches so many of all members. Points, statuses and rewards of the programme stay.",
    access: "staff",
    roles: ["owner"],
    fresh: true,
    input: z.object({
      Percent: fieldTypes
        .text(1)
        .refine((text) => /^[1-5]$/.test(text), "invalid")
        .transform(Number)
        .describe("1 to 5"),
      ...language,
    }),
    response: nothing,
    refusals: ["already_decided"],
  }),
  [calls.endHoldOut]: endpoint({
    summary: "Ends it before its year is over: campaigns reach everybody again, and nothing is measured.",
    access: "staff",
    roles: ["owner"],
    fresh: true,
    input: z.object(language),
    response: nothing,
    refusals: ["not_found"],
  }),
};

type CampaignsContract = typeof campaignsContract;
declare module "#platform/api/api.ts" {
  interface Api extends CampaignsContract {}
}
