import { z } from "zod";
import { endpoint, staffRoles, wire } from "#platform/api/endpoint.server.ts";
import * as calls from "./calls.ts";

const nothing = z.object({});
const language = { LanguageIsoCode: wire.language() };

const signedIn = z.object({
  IdStaff: z.int(),
  Email: z.string(),
  Firstname: z.string(),
  Lastname: z.string(),
  Role: z.enum(staffRoles),
  IdShop: z.int().nullable().describe("Of the role shop"),
  ProofEndsAt: z.iso.datetime().describe("Until then a call that needs a fresh proof asks for none"),
});

export const officeContract = {
  [calls.readSession]: endpoint({
    summary: "Who is signed in to the back office.",
    access: "staff",
    roles: staffRoles,
    input: z.object(language),
    response: signedIn,
    refusals: [],
  }),
  [calls.signOut]: endpoint({
    summary: "Ends the session of the back office.",
    access: "staff",
    roles: staffRoles,
    input: z.object(language),
    response: nothing,
    refusals: [],
  }),
};

type OfficeContract = typeof officeContract;
declare module "#platform/api/api.ts" {
  interface Api extends OfficeContract {}
}
