import { z } from "zod";
import { fields } from "#identity/fields/fields.server.ts";
import { integerId, language, nothing } from "#office/fields.server.ts";
import { endpoint, fieldTypes, staffRoles } from "#platform/api/endpoint.server.ts";
import { auditActions } from "#staff/audit.server.ts";
import * as calls from "./calls.ts";

const roleAndShop = {
  Role: z.enum(staffRoles, { error: "required" }),
  IdShop: integerId().optional().describe("Of the role shop, and of no other"),
};

const auditFilters = {
  IdStaff: integerId().optional(),
  IdCustomer: fieldTypes.id().optional(),
  Customer: fieldTypes
    .text(120)
    .optional()
    .describe("As the record shows them: number of the account, card or address"),
  Action: z.enum(auditActions).optional(),
  Day: fieldTypes.date().optional().describe("A day of the club"),
};

const lookUpCounts = {
  ShopNames: z.array(z.string()).describe("Where they looked"),
  Email: z.int(),
  Phone: z.int(),
  Card: z.int().describe("Quotes by card too, once in a quarter of an hour"),
  Voucher: z.int(),
  OverLimit: z.boolean().describe("More than DailyLimit by address and phone"),
};

/** Staff, the audit log and look-ups of customers. */
export const teamContract = {
  [calls.listStaff]: endpoint({
    summary: "Everybody who works or has worked here.",
    access: "staff",
    roles: ["owner"],
    input: z.object(language),
    response: z.object({
      Staff: z.array(
        z.object({
          IdStaff: z.int(),
          Email: z.string(),
          Firstname: z.string(),
          Lastname: z.string(),
          Role: z.enum(staffRoles),
          IdShop: z.int().nullable(),
          ShopName: z.string().nullable(),
          HasPassword: z.boolean().describe("And the secret of its codes"),
          HasPin: z.boolean(),
          Locked: z.boolean().describe("At a till, after wrong PINs"),
          Passkeys: z.int().describe("How many passkeys they have"),
          InvitedUntil: z.iso.datetime().nullable().describe("Of an invitation that was not accepted yet"),
          SeenAt: z.iso.datetime().nullable().describe("Of a session that is open now"),
          EndedAt: z.iso.datetime().nullable(),
        }),
      ),
    }),
    refusals: [],
  }),
  [calls.invitePerson]: endpoint({
    summary:
      "Mails an invitation that works once, for 24 hours. Anyone who accepts it chooses a new password and a new secret of codes: it is the recovery of somebody who has lost theirs, too, and brings back who had left.",
    access: "staff",
    roles: ["owner"],
    fresh: true,
    input: z.object({
      IdStaff: integerId()
        .optional()
        .describe("Of somebody who works or has worked here: without it the address is new"),
      Email: fields.email(),
      Firstname: fields.name(),
      Lastname: fields.name(),
      ...roleAndShop,
      ...language,
    }),
    response: z.object({ IdStaff: z.int() }),
    refusals: ["not_found", "not_yourself"],
  }),
  [calls.changeRole]: endpoint({
    summary: "Somebody has another role, from their next call on.",
    access: "staff",
    roles: ["owner"],
    fresh: true,
    input: z.object({ IdStaff: integerId(), ...roleAndShop, ...language }),
    response: nothing,
    refusals: ["not_found", "not_yourself"],
  }),
  [calls.endPerson]: endpoint({
    summary:
      "Somebody no longer works here: every session, PIN, password and passkey of theirs ends. The role shop: people of its own shop.",
    access: "staff",
    roles: ["owner", "shop"],
    fresh: true,
    input: z.object({ IdStaff: integerId(), ...language }),
    response: nothing,
    refusals: ["not_found", "not_yourself"],
  }),
  [calls.unlockPerson]: endpoint({
    summary: "Somebody locked out by wrong PINs may try again: at every till, or at those of the caller's shop.",
    access: "staff",
    roles: ["owner", "shop"],
    input: z.object({ IdStaff: integerId(), ...language }),
    response: nothing,
    refusals: ["not_found", "not_yourself"],
  }),
  [calls.readAudit]: endpoint({
    summary: "The audit log, the newest first, fifty entries a page.",
    access: "staff",
    roles: ["owner"],
    input: z.object({
      ...auditFilters,
      Cursor: fieldTypes.id().optional().describe("NextCursor of the page before"),
      ...language,
    }),
    response: z.object({
      Entries: z.array(
        z.object({
          IdEntry: z.int(),
          At: z.iso.datetime(),
          MadeBy: z.enum(["staff", "device", "command", "job", "customer"]),
          IdStaff: z.int().nullable(),
          StaffName: z.string().nullable(),
          Action: z.enum(auditActions),
          IdCustomer: z.int().nullable(),
          IdShop: z.int().nullable(),
          ShopName: z.string().nullable(),
          Till: z.string().nullable().describe("The first characters of the till or key it was done with"),
          TillName: z.string().nullable(),
          Before: z.unknown(),
          After: z.unknown(),
          Reason: z.string().nullable(),
          RequestId: z.string().nullable(),
        }),
      ),
      NextCursor: z.int().nullable(),
      Actions: z.array(z.enum(auditActions)).describe("Every action that the log knows"),
    }),
    refusals: [],
  }),
  [calls.auditCsv]: endpoint({
    summary:
      "The same log as a file, which leaves a row in it. The header X-Estimated-Rows says about how many rows come.",
    access: "staff",
    roles: ["owner"],
    input: z.object({ ...auditFilters, ...language }),
    response: z.string(),
    responseType: "text/csv",
    refusals: [],
  }),
  [calls.readLookUps]: endpoint({
    summary:
      "How many customers each person and each key looked up on a day, and who went over the daily limit in the thirty days up to it. Customers who were erased since are not counted.",
    access: "staff",
    roles: ["owner"],
    input: z.object({ Day: fieldTypes.date().describe("A day of the club"), ...language }),
    response: z.object({
      Day: z.string(),
      DailyLimit: z.int().describe("Of look-ups by address and phone, for a person and for a key"),
      People: z.array(z.object({ IdStaff: z.int(), Name: z.string(), ...lookUpCounts })),
      Keys: z.array(z.object({ Prefix: z.string(), Name: z.string(), Kind: z.enum(["key", "till"]), ...lookUpCounts })),
      Exceeded: z.array(
        z.object({
          Day: z.string(),
          IdStaff: z.int().nullable().describe("Of a person; null of a key"),
          Prefix: z.string().nullable().describe("Of a key; null of a person"),
          Name: z.string(),
          ShopNames: z.array(z.string()),
          Count: z.int().describe("By address and phone"),
        }),
      ),
    }),
    refusals: [],
  }),
};

type TeamContract = typeof teamContract;
declare module "#platform/api/api.ts" {
  interface Api extends TeamContract {}
}
