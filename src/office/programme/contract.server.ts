import { z } from "zod";
import type { Rules } from "#loyalty/programme/rules.ts";
import { integerId, language, moment, nothing } from "#office/fields.server.ts";
import { simulationResult } from "#office/programme/simulator/simulation-result.server.ts";
import { endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";
import { fieldCodes } from "#platform/refusal.ts";
import * as calls from "./calls.ts";
import { previews } from "./preview.server.ts";

const marketing = { access: "staff", roles: ["owner", "marketing"] } as const;
/** Checked by the rules of the club themselves (src/loyalty/programme/parse-rules.server.ts). */
const rules = z.custom<Rules>().describe("In the form of `npm run programme -- export`");
const events = z.custom<Rules["events"]>().describe("Every event that the product can see, as last published");
const revision = () =>
  fieldTypes
    .text(9)
    .regex(/^\d{1,9}$/, "invalid")
    .transform(Number);
const start = () => z.iso.datetime({ offset: true, error: "date" }).transform((text) => new Date(text));
const onRevision = z.object({ Revision: revision().describe("That was read; another one is refused"), ...language });
const versionNumber = () => revision().refine((version) => version > 0, "invalid");
const problems = z
  .array(z.object({ field: z.string(), code: z.enum(fieldCodes), message: z.string() }))
  .describe("What keeps it from being published");
const warnings = z
  .array(z.object({ field: z.string(), text: z.string(), number: z.string() }))
  .describe("Numbers in texts that the rules do not have; they keep nothing from being published");

const version = z.object({
  Version: z.int(),
  Label: z.string().nullable(),
  StartsAt: moment,
  PublishedAt: moment.nullable(),
  PublishedBy: z.string().nullable(),
  WithdrawnAt: moment.nullable(),
  State: z.enum(["past", "current", "scheduled", "withdrawn"]),
});

/** The programme: its versions, the draft and its way to publication. */
export const programmeContract = {
  [calls.readRules]: endpoint({
    summary: "Today's rules, every version, and the draft.",
    ...marketing,
    input: z.object(language),
    response: z.object({
      Current: z.object({ Version: z.int(), Rules: rules }),
      Versions: z.array(version).describe("The newest first"),
      Draft: z
        .object({
          Revision: z.int(),
          Label: z.string(),
          Rules: rules,
          State: z.enum(["open", "asked"]),
          SavedBy: z.string().nullable(),
          SavedAt: moment,
          StartsAt: moment.nullable(),
          AskedBy: z.string().nullable(),
          AskedAt: moment.nullable(),
          AskedByMe: z.boolean(),
          Problems: problems,
          Warnings: warnings,
        })
        .nullable(),
      NextIds: z.object({ Tier: z.int(), Reward: z.int() }).describe("For what a draft adds"),
      KnownEvents: events,
    }),
    refusals: [],
  }),
  [calls.readVersion]: endpoint({
    summary: "One version's rules.",
    ...marketing,
    input: z.object({ Version: versionNumber(), ...language }),
    response: version.extend({ Rules: rules }),
    refusals: ["not_found"],
  }),
  [calls.previewRules]: endpoint({
    summary: "The member's page or a letter as the draft, or a version, would make it, for an invented member.",
    ...marketing,
    input: z.object({
      Show: z.enum(previews, { error: "invalid" }).default("page"),
      Version: versionNumber().optional().describe("Absent: the draft"),
      IdLoyaltyTier: integerId().optional(),
      ...language,
    }),
    response: z.string(),
    responseType: "text/html",
    refusals: ["not_found"],
  }),
  [calls.saveDraft]: endpoint({
    summary:
      "Saves the draft, also while something in it is missing. Somebody else's later revision is not overwritten: 409 `draft_changed`.",
    ...marketing,
    input: z.object({
      Revision: revision().describe("That was read; 0 begins a draft"),
      Label: fieldTypes.text(60),
      Rules: fieldTypes.text(60_000).describe("JSON"),
      ...language,
    }),
    response: z.object({ Revision: z.int(), Problems: problems, Warnings: warnings }),
    refusals: ["draft_changed", "not_found"],
  }),
  [calls.discardDraft]: endpoint({
    summary: "Gives the draft up.",
    ...marketing,
    input: onRevision,
    response: nothing,
    refusals: ["draft_changed", "not_found"],
  }),
  [calls.askToPublish]: endpoint({
    summary: "Asks a second person to publish the draft from a moment on, a minute ahead or later.",
    ...marketing,
    input: onRevision.extend({ StartsAt: start() }),
    response: nothing,
    refusals: ["draft_changed", "not_found"],
  }),
  [calls.sendBack]: endpoint({
    summary: "What waits for a second person is a draft again.",
    ...marketing,
    input: onRevision,
    response: nothing,
    refusals: ["draft_changed", "not_found"],
  }),
  [calls.publish]: endpoint({
    summary: "The second person publishes what a colleague asked for. From its start on it is the programme.",
    ...marketing,
    fresh: true,
    input: onRevision.extend({ StartsAt: start().describe("That was read; another one is refused") }),
    response: z.object({ Version: z.int() }),
    refusals: ["draft_changed", "not_found", "second_person"],
  }),
  [calls.startSimulation]: endpoint({
    summary: "Plays the last twelve months again under the draft, in the background. It changes nothing.",
    ...marketing,
    input: onRevision,
    response: z.object({ IdSimulation: z.int() }),
    refusals: ["draft_changed", "not_found"],
  }),
  [calls.readSimulation]: endpoint({
    summary: "The last simulation of the draft, its progress and its result.",
    ...marketing,
    input: z.object(language),
    response: z.object({
      Simulation: z
        .object({
          IdSimulation: z.int(),
          Revision: z.int(),
          Outdated: z.boolean().describe("The draft was saved since"),
          State: z.enum(["running", "done", "cancelled", "failed"]),
          Done: z.int().describe("Members"),
          Total: z.int(),
          StartedAt: moment,
          Result: simulationResult.nullable(),
        })
        .nullable(),
    }),
    refusals: [],
  }),
  [calls.cancelSimulation]: endpoint({
    summary: "Stops a simulation.",
    ...marketing,
    input: z.object({ IdSimulation: integerId(), ...language }),
    response: nothing,
    refusals: ["not_found"],
  }),
  [calls.withdraw]: endpoint({
    summary: "Takes back a published version that has not begun.",
    ...marketing,
    fresh: true,
    input: z.object({ Version: versionNumber(), ...language }),
    response: nothing,
    refusals: ["version_begun"],
  }),
};

type ProgrammeContract = typeof programmeContract;
declare module "#platform/api/api.ts" {
  interface Api extends ProgrammeContract {}
}
