import { z } from "zod";
import { voucherFilters } from "#loyalty/rewards/rewards.server.ts";
import { clubQuery, endpoint, wire } from "#platform/api/endpoint.server.ts";
import {
  listCustomerRewards,
  listEvents,
  listRewards,
  listTiers,
  obtainEvent,
  obtainReward,
  readHistory,
  readLoyalty,
  readProgramme,
  readWallets,
  saveToApple,
  saveToGoogle,
  subscribe,
  unsubscribe,
} from "./calls.ts";
import {
  customerEvent,
  customerReward,
  event,
  historyEntry,
  loyaltyCustomer,
  offeredReward,
  pointsLeft,
  reward,
  tier,
} from "./responses.server.ts";

const clubForm = { LanguageIsoCode: wire.language(), IdLoyaltyProgram: wire.programme() };

export const loyaltyContract = {
  [readProgramme]: endpoint({
    summary: "The club as everybody may see it: welcome gift, tiers, rewards, ways to earn.",
    access: "anyone",
    input: z.object(clubQuery),
    answer: z.object({
      IdLoyaltyProgram: z.literal(4),
      WelcomePoints: z.int(),
      Tiers: z.array(tier),
      Rewards: z.array(reward),
      Events: z.array(event),
    }),
    refusals: ["not_found"],
    publicSeconds: 60,
  }),
  [readLoyalty]: endpoint({
    summary: "Where the customer stands in the club: card, points, tier.",
    access: "customer",
    input: z.object(clubQuery),
    answer: loyaltyCustomer,
    refusals: ["not_found"],
  }),
  [readHistory]: endpoint({
    summary: "The customer's points, entry by entry, newest first.",
    access: "customer",
    input: z.object({
      LanguageIsoCode: wire.language(),
      Limit: z
        .string()
        .regex(/^([1-9]\d?|100)$/, "invalid")
        .transform(Number)
        .default(20)
        .describe("1 to 100, 20 when absent"),
      Cursor: wire.text(64).optional().describe("NextCursor of the page before"),
    }),
    answer: z.object({ Entries: z.array(historyEntry), NextCursor: z.string().nullable() }),
    refusals: [],
  }),
  [subscribe]: endpoint({
    summary: "Joins the club; a member who joins again changes nothing.",
    access: "customer",
    input: z.object({
      ...clubForm,
      CustomerBirthday: wire.date().optional().describe("Needed when the customer's birthday is not known"),
      LoyaltyCustomerState: wire
        .flag()
        .refine((state) => state, "invalid")
        .default(true),
    }),
    answer: loyaltyCustomer,
    refusals: ["forbidden", "not_found", "key_reused"],
    idempotent: true,
  }),
  [unsubscribe]: endpoint({
    summary: "Leaves the club; points and card wait for a return.",
    access: "customer",
    input: z.object(clubForm),
    answer: loyaltyCustomer,
    refusals: ["not_found", "key_reused"],
    idempotent: true,
  }),
  [listEvents]: endpoint({
    summary: "Ways to earn points, and how far the customer is with each.",
    access: "customer",
    input: z.object(clubQuery),
    answer: z.object({ Events: z.array(customerEvent) }),
    refusals: ["not_found"],
  }),
  [obtainEvent]: endpoint({
    summary: "Takes the points of an event that the server can see has happened.",
    access: "customer",
    input: z.object({ ...clubForm, IdLoyaltyProgramEvent: wire.id() }),
    answer: z.object({ Event: customerEvent, Points: pointsLeft }),
    refusals: ["not_found", "not_a_member", "already_obtained", "event_locked", "key_reused"],
    idempotent: true,
  }),
  [listRewards]: endpoint({
    summary: "Rewards, and which of them the customer's points reach.",
    access: "customer",
    input: z.object(clubQuery),
    answer: z.object({ Rewards: z.array(offeredReward) }),
    refusals: ["not_found"],
  }),
  [listCustomerRewards]: endpoint({
    summary: "The customer's vouchers, newest first.",
    access: "customer",
    input: z.object({
      ...clubQuery,
      LoyaltyRewardState: z.enum(voucherFilters, { error: () => "invalid" }).default("all"),
    }),
    answer: z.object({ CustomerRewards: z.array(customerReward) }),
    refusals: ["not_found"],
  }),
  [obtainReward]: endpoint({
    summary: "Turns points into a voucher; the customer's address must be confirmed.",
    access: "customer",
    input: z.object({ ...clubForm, IdLoyaltyReward: wire.id() }),
    answer: z.object({ CustomerReward: customerReward, Points: pointsLeft }),
    refusals: ["not_found", "not_a_member", "email_unconfirmed", "not_enough_points", "key_reused"],
    idempotent: true,
  }),
  [listTiers]: endpoint({
    summary: "The tiers of the club.",
    access: "customer",
    input: z.object(clubQuery),
    answer: z.object({ Tiers: z.array(tier) }),
    refusals: ["not_found"],
  }),
  [readWallets]: endpoint({
    summary: "The wallets a card can be put into here, and the way to the page on a phone.",
    access: "anyone",
    input: z.object({ LanguageIsoCode: wire.language() }),
    answer: z.object({ Google: z.boolean(), Apple: z.boolean(), Url: z.string(), QrSvg: z.string() }),
    refusals: [],
    publicSeconds: 60,
  }),
  [saveToGoogle]: endpoint({
    summary:
      "A link that puts the member's card into Google Wallet; from then on changes of points and status reach it.",
    access: "customer",
    input: z.object({}),
    answer: z.object({ SaveUrl: z.url() }),
    refusals: ["not_a_member", "not_configured"],
  }),
  [saveToApple]: endpoint({
    summary:
      "The member's card as a signed pass for Apple Wallet; its phone then asks for changes by Apple's own protocol.",
    access: "customer",
    input: z.object({}),
    answer: z.string().meta({ format: "binary" }),
    answerType: "application/vnd.apple.pkpass",
    refusals: ["not_a_member", "not_configured"],
  }),
};

type LoyaltyContract = typeof loyaltyContract;
declare module "#platform/api/api.ts" {
  interface Api extends LoyaltyContract {}
}
