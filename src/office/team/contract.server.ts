import { z } from "zod";
import { integerId, language, nothing } from "#office/wire.server.ts";
import { endpoint, staffRoles, wire } from "#platform/api/endpoint.server.ts";
import * as calls from "./calls.ts";

/** Staff and the audit log. */
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

type TeamContract = typeof teamContract;
declare module "#platform/api/api.ts" {
  interface Api extends TeamContract {}
}
