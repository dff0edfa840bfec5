import { z } from "zod";
import { valueOfPoints } from "#loyalty/programme/point-value.ts";
import type { Rules } from "#loyalty/programme/rules.ts";
import type { Replayed } from "./replay.server.ts";

/** What a year would have been under rules. */
const year = z.object({
  issued: z.int(),
  takenBack: z.int(),
  outstanding: z.int().describe("Points that members hold at the end"),
  liabilityCents: z.int().describe("What these are worth"),
  costCents: z.int().describe("What the points of the year's purchases, gifts and events are worth"),
  tiers: z.record(z.string(), z.int()).describe("Members by their status at the end"),
});
const movers = z.array(z.object({ customerId: z.int(), today: z.int(), draft: z.int() }));

export const simulationResult = z.object({
  members: z.int(),
  salesCents: z.int(),
  from: z.string(),
  until: z.string(),
  today: year,
  draft: year,
  up: z.int().describe("Whose status at the end is higher than by today's rules"),
  down: z.int(),
  gain: movers,
  lose: movers,
});
type YearUnder = z.infer<typeof year>;
export type SimulationResult = z.infer<typeof simulationResult>;

const listed = 10;

/** Adds members up, one after the other. */
export function createSummary(today: Rules, draft: Rules, window: { from: string; until: string }) {
  const empty = () => ({ issued: 0, takenBack: 0, outstanding: 0, tiers: {} as Record<string, number> });
  const sums = { today: empty(), draft: empty() };
  let [members, salesCents, up, down] = [0, 0, 0, 0];
  let moved: SimulationResult["gain"] = [];

  const addTo = (sum: ReturnType<typeof empty>, one: Replayed) => {
    sum.issued += one.issued;
    sum.takenBack += one.takenBack;
    sum.outstanding += one.balance;
    sum.tiers[one.tierId] = (sum.tiers[one.tierId] ?? 0) + 1;
  };
  /** Those who gain or lose most so far. */
  const shorten = () => {
    moved.sort((a, b) => b.draft - b.today - (a.draft - a.today));
    moved = moved.length > listed * 2 ? [...moved.slice(0, listed), ...moved.slice(-listed)] : moved;
  };
  return {
    add(customerId: number, paidCents: number, byToday: Replayed, byDraft: Replayed) {
      members += 1;
      salesCents += paidCents;
      addTo(sums.today, byToday);
      addTo(sums.draft, byDraft);
      const raised = thresholdOf(draft, byDraft.tierId) - thresholdOf(today, byToday.tierId);
      const step = rankOf(draft, byDraft.tierId) - rankOf(today, byToday.tierId);
      // A status that only one of the two has is compared by its place.
      if (byDraft.tierId !== byToday.tierId && (step || raised) > 0) up += 1;
      else if (byDraft.tierId !== byToday.tierId) down += 1;
      const [before, after] = [byToday.issued - byToday.takenBack, byDraft.issued - byDraft.takenBack];
      if (before !== after) moved.push({ customerId, today: before, draft: after });
      if (moved.length > 1_000) shorten();
    },
    result(): SimulationResult {
      shorten();
      return {
        ...{ members, salesCents, ...window, up, down },
        today: valued(sums.today, today),
        draft: valued(sums.draft, draft),
        gain: moved.filter((one) => one.draft > one.today).slice(0, listed),
        lose: moved
          .filter((one) => one.draft < one.today)
          .reverse()
          .slice(0, listed),
      };
    },
  };
}

const rankOf = ({ tiers }: Rules, id: number) => tiers.findIndex((tier) => tier.id === id);
const thresholdOf = ({ tiers }: Rules, id: number) => tiers.find((tier) => tier.id === id)?.pointsRequired ?? 0;

function valued(sum: Omit<YearUnder, "liabilityCents" | "costCents">, rules: Rules): YearUnder {
  const { cents } = valueOfPoints(rules);
  return { ...sum, liabilityCents: cents(sum.outstanding), costCents: cents(sum.issued - sum.takenBack) };
}
