import type { ResponseBody } from "#platform/api/api.ts";
/** The club's API calls, as method and path. */
export const readProgramme = "GET loyalty/programme";
export const readLoyalty = "GET loyalty/customer";
export const readHistory = "GET loyalty/history";
export const subscribe = "POST loyalty/subscribe";
export const unsubscribe = "POST loyalty/unsubscribe";
export const listEvents = "GET loyalty/event/list";
export const obtainEvent = "POST loyalty/event/obtain";
export const listRewards = "GET loyalty/reward";
export const listCustomerRewards = "GET loyalty/reward/1/customerReward";
export const obtainReward = "POST loyalty/reward/1/obtain";
/** Six digits by which the customer agrees at a till. */
export const createTillCode = "POST loyalty/till-code";
/** What the club that moved here brought, with its history; closing the notice; saying that something is missing. */
export const readMoved = "GET loyalty/moved";
export const closeMoved = "POST loyalty/moved/close";
export const reportMissing = "POST loyalty/moved/missing";
/** Characters in which a customer says what is missing. */
export const maxMissingText = 500;
/** Handled by the shop's module, which knows the receipts. */
export const claimReceipt = "POST loyalty/receipt/claim";
export const listTiers = "GET loyalty/tier/list";
export const readWallets = "GET loyalty/wallet";
export const saveToGoogle = "GET loyalty/wallet/google";
export const saveToApple = "GET loyalty/wallet/apple";
/** The card of a customer whom a shop has just registered, by the token of the till's QR code, without a session. */
export const readPass = "GET loyalty/pass";
export const passToGoogle = "GET loyalty/pass/google";
export const passToApple = "GET loyalty/pass/apple";

/** What the log's warning of a failed call begins with, the shop's calls to the club included; the words are the specification's. */
export const loyaltyWarningPrefix = (line: string): string | undefined =>
  line.includes(" loyalty/") ? "Error fetching product: " : undefined;

/** A customer as the club sees them: card, points, tier. */
export type LoyaltyCustomer = ResponseBody<typeof readLoyalty>;
/** What the former club of a customer brought. */
export type Moved = NonNullable<ResponseBody<typeof readMoved>["Moved"]>;
