import { z } from "zod";
import { typedCents } from "#brand/amounts.ts";
import { fields } from "#identity/fields/fields.server.ts";
import { integerId, language, nothing } from "#office/fields.server.ts";
import { endpoint, fieldTypes, money } from "#platform/api/endpoint.server.ts";
import type { FieldCode } from "#platform/refusal.ts";
import * as calls from "./calls.ts";

const moment = z.iso.datetime();
/** What two people may give (decision 0047), as checks in the table. The texts of the two refusals name these numbers. */
const mostExtraPoints = 10_000;
const mostHundredths = 1_000;
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
/** An amount as a person types it, in cents. */
const typedAmount = () =>
  fieldTypes
    .text(16)
    .transform((text) => typedCents(text) ?? 0)
    .refine((cents) => cents > 0, "invalid");
const inThreeLanguages = z.object({ fr: z.string(), en: z.string(), de: z.string() });

/** Campaigns: more points for a period. */
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
          MinimumAmount: money.nullable(),
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
          Sales: z.int().describe("That it counted for"),
          Points: z.int().describe("That it added, less those that returns took back"),
          Cents: z.int().describe("What these points are worth"),
        }),
      ),
      Tiers: z.array(z.object({ IdLoyaltyTier: z.int(), Name: z.string() })),
      Shops: z.array(z.object({ IdShop: z.int(), Name: z.string() })),
    }),
    refusals: [],
  }),
  [calls.addCampaign]: endpoint({
    summary:
      "A new campaign, for sales from its start on: at once, or from a later day. It waits until a colleague approves it, and is never changed. One of Multiplier and ExtraPoints.",
    access: "staff",
    roles: ["owner", "marketing"],
    fresh: true,
    input: z.object({
      NameFr: fields.line(60),
      NameEn: fields.line(60),
      NameDe: fields.line(60),
      TextFr: fields.line(160),
      TextEn: fields.line(160),
      TextDe: fields.line(160),
      Multiplier: multiplier().optional().describe("Such as 2 or 1.5; at most 10"),
      ExtraPoints: whole(mostExtraPoints, "extra_points").optional().describe("At most 10 000"),
      MinimumAmount: typedAmount().optional().describe("What must be paid at least on lines that earn: {amount}"),
      From: fieldTypes.date().describe("The first day, today at the earliest"),
      To: fieldTypes.date().describe("The last day"),
      IdLoyaltyTier: integerId().optional(),
      IdShop: integerId().optional(),
      IdleMonths: whole(60).optional().describe("Who has not bought for so many months"),
      ...language,
    }),
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
};

type CampaignsContract = typeof campaignsContract;
declare module "#platform/api/api.ts" {
  interface Api extends CampaignsContract {}
}
