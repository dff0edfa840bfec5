import { and, eq, inArray, sql } from "drizzle-orm";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import type { Rules } from "#loyalty/programme/rules.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { same } from "./differences.ts";
import { drafts } from "./draft.tables.server.ts";

export type Draft = typeof drafts.$inferSelect;

const open = and(eq(drafts.programmeId, defaultProgrammeId), inArray(drafts.state, ["open", "asked"]));

/** The draft that is being written or waits for a second person. */
export async function findDraft(queries: Queries): Promise<Draft | undefined> {
  const [draft] = await queries.select().from(drafts).where(open);
  return draft;
}

/** The draft at the revision that a person has seen; locked until the transaction ends. */
export async function lockDraft(tx: Queries, revision: number, state?: Draft["state"]): Promise<Draft> {
  const [draft] = await tx.select().from(drafts).where(open).for("update");
  if (!draft) throw new Refusal("not_found");
  if (draft.revision !== revision || (state && draft.state !== state)) throw new Refusal("draft_changed");
  return draft;
}

/**
 * Saves what a person wrote on top of the revision they had read; 0 begins a draft. Of two who save at once the second is
 * refused and has lost nothing. What waits for a second person is a draft again.
 */
export async function saveDraft(
  tx: Queries,
  { revision, label, rules }: { revision: number; label: string; rules: Rules },
  by: { staffId: number | null; now: Date },
): Promise<{ before: Draft | undefined; revision: number }> {
  const written = { label, rules, savedBy: by.staffId, savedAt: by.now };
  if (revision === 0) {
    const basedOn = sql`(select max(version) from loyalty_programme
      where coalesce(version_of, id) = ${defaultProgrammeId} and withdrawn_at is null)`;
    const begun = await tx
      .insert(drafts)
      .values({ ...written, programmeId: defaultProgrammeId, basedOn, state: "open" })
      .onConflictDoNothing()
      .returning({ revision: drafts.revision });
    if (begun.length === 0) throw new Refusal("draft_changed");
    return { before: undefined, revision: 1 };
  }
  const before = await lockDraft(tx, revision);
  await tx
    .update(drafts)
    .set({ ...written, state: "open", revision: revision + 1, askedBy: null, askedAt: null })
    .where(eq(drafts.id, before.id));
  return { before, revision: revision + 1 };
}

/**
 * What is different between two drafts, before and after: the fields that changed, of tiers, rewards and events with their
 * id. What is new has no entry before, what is gone none after.
 */
export function changedRules(before: Rules, after: Rules): { before: object; after: object } {
  const changed = { before: {} as Record<string, unknown>, after: {} as Record<string, unknown> };
  for (const field of Object.keys(after) as (keyof Rules)[]) {
    const [was, is] = [before[field], after[field]];
    if (same(was, is)) continue;
    // Codes of lines have no ids: they are noted as a whole.
    const lists = field !== "lineCodes" && Array.isArray(was) && Array.isArray(is);
    changed.before[field] = lists ? changedOf(was as { id: number }[], is as { id: number }[]) : was;
    changed.after[field] = lists ? changedOf(is as { id: number }[], was as { id: number }[]) : is;
  }
  return changed;
}

/** Of each entry its id, and the fields that are not the same in the other list. */
function changedOf(list: { id: number }[], other: { id: number }[]): object[] {
  return list.flatMap((one) => {
    const known: object | undefined = other.find(({ id }) => id === one.id);
    if (!known) return [one];
    const fields = new Map(Object.entries(known));
    const changed = Object.entries(one).filter(([field, value]) => !same(value, fields.get(field)));
    return changed.length > 0 ? [{ id: one.id, ...Object.fromEntries(changed) }] : [];
  });
}

/** Ids for a new tier and a new reward: no version has used them. */
export async function nextIds(queries: Queries): Promise<{ tiers: number; rewards: number }> {
  const { rows } = await queries.execute<{ tiers: number; rewards: number }>(sql`
    select coalesce((select max(id) from loyalty_tier), 0) + 1 as tiers,
      coalesce((select max(id) from loyalty_reward), 0) + 1 as rewards`);
  return rows[0] ?? { tiers: 1, rewards: 1 };
}
