import { z } from "zod";
import { fields } from "#identity/fields/fields.server.ts";
import { endpoint, staffRoles, wire } from "#platform/api/endpoint.server.ts";
import * as calls from "./calls.ts";

const nothing = z.object({});
const language = { LanguageIsoCode: wire.language() };
/** The id of a person or a shop, which the database stores as an integer. */
const integerId = () => wire.id().refine((id) => id <= 2_147_483_647, "invalid");

/** What staff do in the back office, each with the roles that may. */
export const managingContract = {
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
          HasPin: z.boolean(),
          EndedAt: z.iso.datetime().nullable(),
        }),
      ),
    }),
    refusals: [],
  }),
  [calls.endPerson]: endpoint({
    summary: "Somebody no longer works here: every session, PIN and passkey of theirs ends.",
    access: "staff",
    roles: ["owner"],
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
    refusals: ["not_found"],
  }),
  [calls.pairTill]: endpoint({
    summary:
      "A code that makes one browser a till of the shop, once, within ten minutes. The role shop: of its own shop.",
    access: "staff",
    roles: ["owner", "shop"],
    fresh: true,
    input: z.object({ IdShop: integerId(), TillName: fields.line(40).optional(), ...language }),
    response: z.object({ Code: z.string() }),
    refusals: ["not_found"],
  }),
  [calls.revokeTill]: endpoint({
    summary: "A device is no till any more, from its next call on. The role shop: of its own shop.",
    access: "staff",
    roles: ["owner", "shop"],
    input: z.object({ Till: wire.text(8).describe("The prefix of the till's key"), ...language }),
    response: nothing,
    refusals: ["not_found"],
  }),
  [calls.readAudit]: endpoint({
    summary: "The audit log, the newest first, fifty entries a page.",
    access: "staff",
    roles: ["owner"],
    input: z.object({
      IdStaff: integerId().optional(),
      IdCustomer: wire.id().optional(),
      Action: wire.text(40).optional(),
      Day: wire.date().optional().describe("In UTC"),
      Cursor: wire.id().optional().describe("NextCursor of the page before"),
      ...language,
    }),
    response: z.object({
      Entries: z.array(
        z.object({
          IdEntry: z.int(),
          At: z.iso.datetime(),
          MadeBy: z.enum(["staff", "device", "command", "job"]),
          IdStaff: z.int().nullable(),
          Action: z.string(),
          IdCustomer: z.int().nullable(),
          IdShop: z.int().nullable(),
          Till: z.string().nullable(),
          Before: z.unknown(),
          After: z.unknown(),
          Reason: z.string().nullable(),
          RequestId: z.string().nullable(),
        }),
      ),
      NextCursor: z.int().nullable(),
    }),
    refusals: [],
  }),
};
