import { z } from "zod";
import { reasons } from "#move/package/reasons.ts";
import { checkNames } from "#move/reconcile/reconcile.server.ts";
import { measureNames } from "#move/reconcile/sums.server.ts";
import { integerId, language, moment, nothing } from "#office/fields.server.ts";
import { endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";
import * as calls from "./calls.ts";
import { uploadPartBytes } from "./calls.ts";

const steps = ["check", "rehearse", "commit"] as const;
const owner = { access: "staff", roles: ["owner"] } as const;
const count = z.int();

const run = z.object({
  IdRun: count,
  Step: z.enum(steps),
  State: z.enum(["queued", "running", "done", "failed"]),
  Package: z.string().nullable().describe("Null: started from a command"),
  Source: z.string(),
  TakenAt: moment,
  StartedAt: moment,
  FinishedAt: moment.nullable(),
  StartedBy: z.string().nullable(),
  Equal: z.boolean().nullable().describe("Of a rehearsal or a commit that is done"),
  Rejected: count,
  Failure: z.string().nullable().describe("What stopped it, as a sentence in the language of the request"),
  Progress: z.object({ What: z.string(), Done: count, Of: count }).nullable(),
});
const measured = {
  OldSystem: count.nullable(),
  Package: count,
  Explained: count.describe("What rejected rows and customers who were here before change"),
  Ledger: count,
  Difference: count,
};
const result = z.object({
  Source: z.string(),
  PackageHash: z.string(),
  TakenAt: z.string(),
  Release: z.string(),
  At: moment,
  Equal: z.boolean(),
  Measures: z.array(z.object({ Name: z.enum(measureNames), ...measured })).describe("Amounts in cents"),
  Months: z.array(z.object({ Month: z.string(), ...measured })).describe("Points by month of expiry"),
  Statuses: z.array(z.object({ Name: z.string(), ...measured })),
  Checks: z.array(z.object({ Name: z.enum(checkNames), Compared: count, Different: count })),
  Invariants: z.array(z.object({ Number: count, Name: z.string(), Violations: count })),
  Members: z.record(z.string(), count),
  Rejected: count,
  Signature: z.string(),
});
const checked = z.object({
  Files: z.array(z.object({ File: z.string(), Manifest: count, Rejected: count })).describe("Rows"),
  Measures: z
    .array(z.object({ Name: z.enum(measureNames), Manifest: count.nullable(), Package: count, Moved: count }))
    .describe("Amounts in cents"),
});
const oneRun = z.object({ IdRun: integerId(), ...language });
const name = () =>
  fieldTypes
    .text(100)
    .regex(/^[\w][\w.-]*$/, "invalid")
    .describe("Of a folder or an archive in MOVE_DIR");

/** Moving a club in, from the back office. */
export const runsContract = {
  [calls.listMoves]: endpoint({
    summary: "The packages in MOVE_DIR, and the last twenty checks, rehearsals and commits.",
    ...owner,
    input: z.object(language),
    response: z.object({
      Folder: z.string(),
      Packages: z.array(z.object({ Name: z.string(), At: moment })),
      Runs: z.array(run),
    }),
    refusals: [],
  }),
  [calls.readMove]: endpoint({
    summary:
      "One run: what a check counted, or the reconciliation with a chart of the points by month of expiry, and the first hundred rejected rows.",
    ...owner,
    input: oneRun,
    response: z.object({
      Run: run,
      Checked: checked
        .nullable()
        .describe("Of a check: what the manifest says, what the files hold, what of it would be moved"),
      Result: result.nullable(),
      Chart: z.string().nullable().describe("SVG"),
      Reasons: z.array(z.object({ Reason: z.enum(reasons), Count: count })),
      Rejections: z.array(
        z.object({
          File: z.string(),
          Line: count,
          Column: z.string().nullable(),
          Value: z.string().nullable(),
          Reason: z.enum(reasons),
          WholeRow: z.boolean(),
        }),
      ),
    }),
    refusals: ["not_found"],
  }),
  [calls.moveRejectedCsv]: endpoint({
    summary: "Every rejected row and value of a run as CSV.",
    ...owner,
    input: oneRun,
    response: z.string(),
    responseType: "text/csv",
    refusals: [],
  }),
  [calls.moveReconciliationCsv]: endpoint({
    summary: "The reconciliation of a run as CSV.",
    ...owner,
    input: oneRun,
    response: z.string(),
    responseType: "text/csv",
    refusals: ["not_found"],
  }),
  [calls.startMove]: endpoint({
    summary: "Checks, rehearses or commits a package as a job. A commit is another person's than the rehearsal.",
    ...owner,
    fresh: true,
    input: z.object({
      Package: name(),
      Step: z.enum(steps, { error: () => "invalid" }),
      AcceptRejected: fieldTypes
        .text(6)
        .regex(/^\d+$/, "invalid")
        .transform(Number)
        .optional()
        .describe("Of a commit: how many rejected rows and values were looked at"),
      ...language,
    }),
    response: z.object({ IdRun: count }),
    refusals: ["second_person", "already_decided"],
  }),
  [calls.uploadPackage]: endpoint({
    summary: "A part of a .tar.gz, from an offset on; with Last it is a package.",
    ...owner,
    bodyLimitBytes: uploadPartBytes * 2,
    input: z.object({
      Package: name().refine((text) => text.endsWith(".tar.gz"), "invalid"),
      Offset: fieldTypes
        .text(12)
        .regex(/^\d+$/, "invalid")
        .transform(Number)
        .describe("How many bytes were sent before"),
      Part: z
        .base64({ error: () => "invalid" })
        .max(uploadPartBytes * 1.5, "too_long")
        .describe("In base64"),
      Last: fieldTypes.flag().default(false),
      ...language,
    }),
    response: nothing,
    refusals: [],
  }),
};

type RunsContract = typeof runsContract;
declare module "#platform/api/api.ts" {
  interface Api extends RunsContract {}
}
