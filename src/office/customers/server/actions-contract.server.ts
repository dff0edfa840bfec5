import { z } from "zod";
import { fields } from "#identity/fields/fields.server.ts";
import * as calls from "#office/customers/calls.ts";
import {
  consentSources,
  customerTextLength,
  emailKinds,
  type MergeField,
  mergeFields,
  mergeSides,
  reasons,
  requestKinds,
} from "#office/customers/choices.ts";
import { integerId, language, nothing } from "#office/fields.server.ts";
import { endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";
import { decidedRequest, moment, oneOf, customerRoles as roles, waitingRequest } from "./fields.server.ts";

/** A control character other than a line break. */
const controls = /[^\P{Cc}\n\r\t]/u;
const note = () => fieldTypes.text(500).refine((text) => !controls.test(text), "invalid");

/** Every action names its customer and says why. */
const action = {
  IdCustomer: fieldTypes.id(),
  Reason: oneOf(reasons),
  Note: note().optional().describe("For the team alone; the customer's export contains it"),
  ...language,
};

const side = oneOf(mergeSides);
/** Of a merge, whose value stays. */
const choices = Object.fromEntries(
  mergeFields.map((field) => [
    `${field}From`,
    side.optional().describe("Whose value stays; absent: as the preview says"),
  ]),
) as Record<`${MergeField}From`, z.ZodOptional<typeof side>>;

const mergeAccount = z.object({
  ...{ Firstname: z.string(), Lastname: z.string(), Email: z.string() },
  EmailVerified: z.boolean(),
});

const adjustment = z.object({
  IdRequest: z.int(),
  Waiting: z.boolean().describe("A second person must approve it"),
  Points: z.object({ Available: z.int(), Debt: z.int() }),
});

/** What staff may do to a customer's record, and what a second person decides. */
export const actionsContract = {
  [calls.correctCustomer]: endpoint({
    summary:
      "Corrects a customer's details; what is absent stays. A confirmed address changes as by the customer: a link to the new one, a notice to the old one. One that no one has confirmed is replaced at once and gets a confirmation; either needs a fresh proof. A consent is given only with its source.",
    access: "staff",
    roles,
    idempotent: true,
    input: z.object({
      ...action,
      Firstname: fields.name().optional(),
      Lastname: fields.name().optional(),
      Email: fields.email().optional(),
      MobilePhone: fields.phone().optional().describe("none removes it"),
      Birthday: fields.birthday().optional(),
      NewsletterSubscribe: fieldTypes.flag().optional(),
      NewsletterSmsSubscribe: fieldTypes.flag().optional(),
      ConsentSource: oneOf(consentSources).optional().describe("How the customer has said yes"),
    }),
    response: z.object({
      EmailChange: z.enum(["none", "mailed", "replaced"]).describe("mailed: the customer confirms the new address"),
    }),
    refusals: ["not_found", "email_taken", "proof_needed", "key_reused"],
  }),
  [calls.addNote]: endpoint({
    summary:
      "Writes a note about a customer, for the team alone; the customer's export contains it, an erasure deletes it.",
    access: "staff",
    roles,
    idempotent: true,
    input: z.object({ IdCustomer: fieldTypes.id(), Note: note(), ...language }),
    response: nothing,
    refusals: ["not_found", "key_reused"],
  }),
  [calls.adjustPoints]: endpoint({
    summary:
      "Adds points or takes them. Beyond what the programme lets one person give or take of a customer, or of everybody, in a day it waits for a second person, and needs a fresh proof.",
    access: "staff",
    roles,
    idempotent: true,
    input: z.object({
      ...action,
      Points: fieldTypes
        .text(7)
        .regex(/^-?[1-9]\d{0,5}$/, "invalid")
        .transform(Number),
      CustomerText: fields.line(customerTextLength).describe("What the customer reads in the history"),
    }),
    response: adjustment,
    refusals: ["not_found", "no_member", "balance_too_low", "already_asked", "proof_needed", "key_reused"],
  }),
  [calls.giveVoucher]: endpoint({
    summary: "Gives a voucher that costs no points. The same limits as for points.",
    access: "staff",
    roles,
    idempotent: true,
    input: z.object({ ...action, IdLoyaltyReward: integerId() }),
    response: adjustment,
    refusals: ["not_found", "no_member", "already_asked", "proof_needed", "key_reused"],
  }),
  [calls.sendEmail]: endpoint({
    summary: "Sends a letter again, with a new link where it has one.",
    access: "staff",
    roles,
    idempotent: true,
    input: z.object({
      ...action,
      EmailContent: oneOf(emailKinds),
      IdCustomerReward: fieldTypes.id().optional().describe("Of the letter voucher"),
    }),
    response: nothing,
    refusals: ["not_found", "no_member", "key_reused"],
  }),
  [calls.blockCustomer]: endpoint({
    summary: "Blocks a customer: they cannot sign in, their sessions end, tills refuse the card.",
    access: "staff",
    roles,
    idempotent: true,
    input: z.object(action),
    response: nothing,
    refusals: ["not_found", "key_reused"],
  }),
  [calls.unblockCustomer]: endpoint({
    summary: "Unblocks a customer.",
    access: "staff",
    roles,
    idempotent: true,
    input: z.object(action),
    response: nothing,
    refusals: ["not_found", "key_reused"],
  }),
  [calls.replaceCard]: endpoint({
    summary:
      "Replaces the card number: tills refuse the old one at once, wallet passes get the new one, and the customer is told by email. After a lost phone the passes end and the customer is signed out everywhere.",
    access: "staff",
    roles,
    idempotent: true,
    input: z.object({ ...action, PhoneLost: fieldTypes.flag().optional().describe("Ends passes and sessions") }),
    response: z.object({ CardNumber: z.string() }),
    refusals: ["not_found", "no_member", "key_reused"],
  }),
  [calls.endSessions]: endpoint({
    summary: "Signs a customer out everywhere.",
    access: "staff",
    roles,
    idempotent: true,
    input: z.object(action),
    response: z.object({ Ended: z.int() }),
    refusals: ["not_found", "key_reused"],
  }),
  [calls.exportCustomer]: endpoint({
    summary: "Everything stored about a customer, as they would export it themselves.",
    access: "staff",
    roles,
    input: z.object(action),
    response: z.looseObject({ ExportedAt: moment() }),
    refusals: ["not_found"],
  }),
  [calls.eraseCustomer]: endpoint({
    summary: "Asks for the erasure of a customer, which a second person approves.",
    access: "staff",
    roles,
    fresh: true,
    idempotent: true,
    input: z.object(action),
    response: z.object({ IdRequest: z.int() }),
    refusals: ["not_found", "already_asked", "key_reused"],
  }),
  [calls.previewMerge]: endpoint({
    summary:
      "What merging two accounts would do. Changes nothing but the audit log of both, where it is recorded that it was read; 60 an hour for a person.",
    access: "staff",
    roles,
    input: z.object({ IdCustomer: fieldTypes.id(), IdOther: fieldTypes.id(), ...choices, ...language }),
    response: z.object({
      Survivor: mergeAccount,
      Other: mergeAccount,
      Fields: z.array(
        z.object({
          Field: z.enum(mergeFields),
          Survivor: z.string().nullable(),
          Other: z.string().nullable(),
          From: z.enum(mergeSides).describe("Whose value stays"),
        }),
      ),
      Points: z.object({
        Moved: z.int(),
        GiftTaken: z.int().describe("Of welcome gifts and events that both have had"),
        Available: z.int(),
        Debt: z.int(),
      }),
      Vouchers: z.int().describe("How many are issued again under a new code"),
    }),
    refusals: ["not_found", "cannot_merge", "voucher_held", "already_asked"],
  }),
  [calls.mergeCustomers]: endpoint({
    summary:
      "Asks to merge the account IdOther into IdCustomer: points with their dates, vouchers, debts, card and receipts. A second person approves it; IdOther is gone afterwards.",
    access: "staff",
    roles,
    fresh: true,
    idempotent: true,
    input: z.object({ ...action, IdOther: fieldTypes.id(), ...choices }),
    response: z.object({ IdRequest: z.int() }),
    refusals: ["not_found", "cannot_merge", "voucher_held", "already_asked", "key_reused"],
  }),
  [calls.listApprovals]: endpoint({
    summary: "What waits for a second person, the oldest first, fifty a page.",
    access: "staff",
    roles,
    input: z.object({
      Kind: oneOf(requestKinds).optional().describe("Absent: all"),
      Cursor: fieldTypes.id().optional().describe("NextCursor of the page before"),
      ...language,
    }),
    response: z.object({
      Requests: z.array(
        z.object({
          ...waitingRequest,
          IdCustomer: z.int(),
          Firstname: z.string(),
          Lastname: z.string(),
          Choices: z
            .record(z.enum(mergeFields), z.enum(mergeSides))
            .nullable()
            .describe("Of a merge, whose values stay"),
          CustomerText: z.string().nullable(),
          Note: z.string().nullable(),
        }),
      ),
      NextCursor: z.int().nullable(),
    }),
    refusals: [],
  }),
  [calls.listDecided]: endpoint({
    summary: "What a second person has approved or declined, or its author withdrawn, the newest first, fifty a page.",
    access: "staff",
    roles,
    input: z.object({ Cursor: fieldTypes.text(400).optional().describe("NextCursor of the page before"), ...language }),
    response: z.object({ Requests: z.array(z.object(decidedRequest)), NextCursor: z.string().nullable() }),
    refusals: [],
  }),
  [calls.approveRequest]: endpoint({
    summary: "Approves what a colleague asked for; it is done at once, or refused and waits on. Not of an own account.",
    access: "staff",
    roles,
    fresh: true,
    idempotent: true,
    input: z.object({ IdRequest: fieldTypes.id(), ...language }),
    response: nothing,
    refusals: [
      ...(["not_found", "second_person", "already_decided", "no_member", "balance_too_low", "key_reused"] as const),
      ...(["cannot_merge", "voucher_held", "already_asked", "reward_changed"] as const),
    ],
  }),
  [calls.withdrawRequest]: endpoint({
    summary: "Withdraws what the caller asked for and no one has decided yet.",
    access: "staff",
    roles,
    idempotent: true,
    input: z.object({ IdRequest: fieldTypes.id(), ...language }),
    response: nothing,
    refusals: ["not_found", "forbidden", "already_decided", "key_reused"],
  }),
  [calls.declineRequest]: endpoint({
    summary: "Declines what a colleague asked for.",
    access: "staff",
    roles,
    idempotent: true,
    input: z.object({ IdRequest: fieldTypes.id(), ...language }),
    response: nothing,
    refusals: ["not_found", "second_person", "already_decided", "key_reused"],
  }),
};

type ActionsContract = typeof actionsContract;
declare module "#platform/api/api.ts" {
  interface Api extends ActionsContract {}
}
