import type { Rules } from "#loyalty/programme/rules.ts";
import type { Replayed } from "#shop/sales/replay.server.ts";

/** What a year would have been under rules. */
export interface YearUnder {
  issued: number;
  takenBack: number;
  /** Points that members hold at the end, and what they are worth. */
  outstanding: number;
  liabilityCents: number;
  /** What the points of the year's purchases, gifts and events are worth. */
  costCents: number;
  /** Members by their status at the end. */
  tiers: Record<number, number>;
}

interface Mover {
  customerId: number;
  today: number;
  draft: number;
}

export interface SimulationResult {
  members: number;
  salesCents: number;
  from: string;
  until: string;
  today: YearUnder;
  draft: YearUnder;
  /** Whose status at the end is higher, or lower, than by today's rules. */
  up: number;
  down: number;
  gain: Mover[];
  lose: Mover[];
}

const listed = 10;

/** Adds members up, one after the other. */
export function createSummary(today: Rules, draft: Rules, window: { from: string; until: string }) {
  const empty = () => ({ issued: 0, takenBack: 0, outstanding: 0, tiers: {} as Record<number, number> });
  const sums = { today: empty(), draft: empty() };
  let [members, salesCents, up, down] = [0, 0, 0, 0];
  let movers: Mover[] = [];

  const addTo = (sum: ReturnType<typeof empty>, one: Replayed) => {
    sum.issued += one.issued;
    sum.takenBack += one.takenBack;
    sum.outstanding += one.balance;
    sum.tiers[one.tierId] = (sum.tiers[one.tierId] ?? 0) + 1;
  };
  /** Those who gain or lose most so far. */
  const shorten = () => {
    movers.sort((a, b) => b.draft - b.today - (a.draft - a.today));
    movers = movers.length > listed * 2 ? [...movers.slice(0, listed), ...movers.slice(-listed)] : movers;
  };
  return {
    add(customerId: number, paidCents: number, byToday: Replayed, byDraft: Replayed) {
      members += 1;
      salesCents += paidCents;
      addTo(sums.today, byToday);
      addTo(sums.draft, byDraft);
      const moved = thresholdOf(draft, byDraft.tierId) - thresholdOf(today, byToday.tierId);
      const step = rankOf(draft, byDraft.tierId) - rankOf(today, byToday.tierId);
      // A status that only one of the two has is compared by its place.
      if (byDraft.tierId !== byToday.tierId && (step || moved) > 0) up += 1;
      else if (byDraft.tierId !== byToday.tierId) down += 1;
      const [before, after] = [byToday.issued - byToday.takenBack, byDraft.issued - byDraft.takenBack];
      if (before !== after) movers.push({ customerId, today: before, draft: after });
      if (movers.length > 1_000) shorten();
    },
    result(): SimulationResult {
      shorten();
      return {
        ...{ members, salesCents, ...window, up, down },
        today: valued(sums.today, today),
        draft: valued(sums.draft, draft),
        gain: movers.filter((one) => one.draft > one.today).slice(0, listed),
        lose: movers
          .filter((one) => one.draft < one.today)
          .reverse()
          .slice(0, listed),
      };
    },
  };
}

const rankOf = ({ tiers }: Rules, id: number) => tiers.findIndex((tier) => tier.id === id);
const thresholdOf = ({ tiers }: Rules, id: number) => tiers.find((tier) => tier.id === id)?.pointsRequired ?? 0;

/** Points are worth what the cheapest reward gives for them. */
function valued(sum: Omit<YearUnder, "liabilityCents" | "costCents">, { rewards }: Rules): YearUnder {
  const cheapest = rewards.toSorted((a, b) => a.points - b.points)[0];
  const worth = (points: number) => (cheapest ? Math.round((points * cheapest.amountCents) / cheapest.points) : 0);
  return { ...sum, liabilityCents: worth(sum.outstanding), costCents: worth(sum.issued - sum.takenBack) };
}
