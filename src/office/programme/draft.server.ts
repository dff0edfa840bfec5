import { eq } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import { publicSeconds } from "#loyalty/programme/contract.server.ts";
import { parseRules } from "#loyalty/programme/parse-rules.server.ts";
import { defaultProgrammeId, queryProgramme } from "#loyalty/programme/programme.server.ts";
import { checkRules, type Rules } from "#loyalty/programme/rules.ts";
import { findWrongNumbers } from "#loyalty/programme/stated-numbers/stated-numbers.ts";
import { compareRules } from "#loyalty/programme/versions/differences.ts";
import {
  changedRules,
  type Draft,
  lockDraft,
  nextIds,
  saveDraft as writeDraft,
} from "#loyalty/programme/versions/draft.server.ts";
import { drafts } from "#loyalty/programme/versions/draft.tables.server.ts";
import { lockVersions, publishVersion, rulesOf, withdrawVersion } from "#loyalty/programme/versions/versions.server.ts";
import { type ActionContext, entryOf } from "#office/audit.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { type AuditAction, writeAudit } from "#staff/audit.server.ts";
import { describeProblems } from "./read.server.ts";

/** A version is published, or withdrawn, so long before it begins: every process and every cache knows by then (decision 0040). */
const aheadMs = publicSeconds * 1_000;

const audit = (
  tx: Queries,
  { caller, now, requestId }: ActionContext,
  action: AuditAction,
  before: object,
  after: object,
) => writeAudit(tx, entryOf(caller, { action, before, after, requestId, at: now }));

/** Saves what a person wrote. Texts may be missing: what keeps it from being published is said, not refused. */
export async function saveDraft(
  database: Database,
  asked: { Revision: number; Label: string; Rules: string },
  context: ActionContext & { locale: Locale },
) {
  const { caller, now, locale } = context;
  const current = await queryProgramme(database, defaultProgrammeId, now);
  const rules = parseRules(asked.Rules, current.known, await nextIds(database));
  return database.transaction(async (tx) => {
    const { Revision: read, Label: label } = asked;
    const by = { staffId: caller.staffId, now };
    const { before, revision } = await writeDraft(tx, { revision: read, label, rules }, by);
    const changed = changedRules(before?.rules ?? rulesOf(current), rules);
    const was = { revision: read, changed: changed.before };
    await audit(tx, context, "programme_saved", was, { revision, label, changed: changed.after });
    return { Revision: revision, Problems: describeProblems(rules, locale), Warnings: findWrongNumbers(rules) };
  });
}

export async function discardDraft(database: Database, revision: number, context: ActionContext): Promise<void> {
  await database.transaction(async (tx) => {
    const draft = await lockDraft(tx, revision);
    const decided = { decidedBy: context.caller.staffId, decidedAt: context.now };
    await tx
      .update(drafts)
      .set({ state: "discarded", ...decided })
      .where(eq(drafts.id, draft.id));
    await audit(tx, context, "programme_discarded", { revision, label: draft.label }, {});
  });
}

/** Asks a second person to publish the draft. Everything in it must be right by now. */
export async function askToPublish(database: Database, revision: number, startsAt: Date, context: ActionContext) {
  const { caller, now } = context;
  await database.transaction(async (tx) => {
    const { last, latestStart } = await lockVersions(tx, defaultProgrammeId);
    const draft = await lockDraft(tx, revision);
    refuseOutdated(draft, last);
    refuseProblems(draft.rules);
    refuseStart(startsAt, latestStart, now);
    const asked = { startsAt, askedBy: caller.staffId, askedAt: now };
    await tx
      .update(drafts)
      .set({ state: "asked", ...asked })
      .where(eq(drafts.id, draft.id));
    await audit(tx, context, "programme_asked", {}, { revision, startsAt });
  });
}

/** What waits is a draft again, whichever of the two wants it. */
export async function sendBack(database: Database, revision: number, context: ActionContext): Promise<void> {
  await database.transaction(async (tx) => {
    const draft = await lockDraft(tx, revision, "asked");
    await tx.update(drafts).set({ state: "open", askedBy: null, askedAt: null }).where(eq(drafts.id, draft.id));
    await audit(tx, context, "programme_sent_back", { revision, askedBy: draft.askedBy }, {});
  });
}

/** The second person publishes the revision and the start that they saw, and no other. */
export async function publish(
  database: Database,
  revision: number,
  startsAt: Date,
  context: ActionContext,
): Promise<{ Version: number }> {
  const { caller, now } = context;
  return database.transaction(async (tx) => {
    const { next: version, last, latestStart } = await lockVersions(tx, defaultProgrammeId);
    const draft = await lockDraft(tx, revision, "asked");
    if (draft.askedBy === caller.staffId) throw new Refusal("second_person");
    const { rules, label } = draft;
    if (draft.startsAt?.getTime() !== startsAt.getTime()) throw new Refusal("draft_changed");
    refuseOutdated(draft, last);
    refuseProblems(rules);
    refuseStart(startsAt, latestStart, now);
    const before = await queryProgramme(tx, defaultProgrammeId, now);
    const publishedBy = caller.staffId;
    await publishVersion(tx, defaultProgrammeId, rules, { number: version, label, startsAt, publishedBy, now });
    await tx
      .update(drafts)
      .set({ state: "published", version, decidedBy: publishedBy, decidedAt: now })
      .where(eq(drafts.id, draft.id));
    const changed = compareRules(before, rules).filter(({ changes }) => changes.length > 0).length;
    const { askedBy } = draft;
    const after = { version, revision, label, startsAt, askedBy, changed };
    await audit(tx, context, "programme_published", { version: before.version }, after);
    return { Version: version };
  });
}

/** Takes back a version before it begins. */
export async function withdraw(database: Database, version: number, context: ActionContext): Promise<void> {
  await database.transaction(async (tx) => {
    await lockVersions(tx, defaultProgrammeId);
    const times = { now: context.now, startsAfter: new Date(context.now.getTime() + aheadMs) };
    if (!(await withdrawVersion(tx, defaultProgrammeId, version, times))) throw new Refusal("version_begun");
    await audit(tx, context, "programme_withdrawn", { version }, {});
  });
}

/** A version that was published since the draft was begun, by a command, is not in it: the draft would undo it unseen. */
function refuseOutdated({ basedOn }: Pick<Draft, "basedOn">, last: number): void {
  if (last > basedOn) throw new Refusal("draft_changed");
}

function refuseProblems(rules: Rules): void {
  const errors = checkRules(rules);
  if (errors.length > 0) throw new Refusal("invalid", { errors });
}

/** A version begins at least a minute from now, and after every other: those in between would never be in force. */
function refuseStart(startsAt: Date, latestStart: Date, now: Date): void {
  const code =
    startsAt.getTime() < now.getTime() + aheadMs ? "too_soon" : startsAt <= latestStart ? "after_scheduled" : undefined;
  if (code) throw new Refusal("invalid", { errors: [{ field: "StartsAt", code }] });
}
