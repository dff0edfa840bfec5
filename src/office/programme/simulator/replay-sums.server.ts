/** What a replay adds up, so that a member with many receipts costs no more for each of them than one with few. */

interface Lot {
  expiresOn: string;
  left: number;
  lapsed: number;
}

/** A member's lots of points, the one that lapses next first; of the same day the earlier. */
export function createLots() {
  const lots: Lot[] = [];
  const bySale = new Map<string, Lot>();
  /** Those before it are empty. */
  let first = 0;
  let balance = 0;

  const takeFrom = (lot: Lot, points: number) => {
    const taken = Math.min(lot.left, points);
    lot.left -= taken;
    balance -= taken;
    return taken;
  };
  /** Takes from the lots that lapse next, and returns what was missing. */
  const take = (points: number) => {
    let due = points;
    for (let next = first; due > 0 && next < lots.length; next += 1) {
      const lot = lots[next];
      if (lot) due -= takeFrom(lot, due);
      if (next === first && lot?.left === 0) first += 1;
    }
    return due;
  };

  return {
    balance: () => balance,
    take,

    add(points: number, expiresOn: string, sale: string | null) {
      const lot = { expiresOn, left: points, lapsed: 0 };
      // Nearly always the last.
      let place = lots.length;
      while (place > first && (lots[place - 1]?.expiresOn ?? "") > expiresOn) place -= 1;
      lots.splice(place, 0, lot);
      if (sale !== null && !bySale.has(sale)) bySale.set(sale, lot);
      balance += points;
    },

    /** What ends before this day is gone. */
    lapse(day: string) {
      for (let lot = lots[first]; lot && (lot.left === 0 || lot.expiresOn < day); lot = lots[first]) {
        lot.lapsed += takeFrom(lot, lot.left);
        first += 1;
      }
    },

    /** Points of a sale: from its own lot first; what lapsed of that counts as taken, once. Returns what was missing. */
    takeBack(sale: string, points: number) {
      const own = bySale.get(sale);
      if (!own) return take(points);
      const due = points - takeFrom(own, points);
      const lapsed = Math.min(own.lapsed, due);
      own.lapsed -= lapsed;
      return take(due - lapsed);
    },
  };
}

/** Enough days since 1970 for a century and a half. */
const mostDays = 2 ** 16;
const numberOf = (day: string) => Math.max(1, Math.floor(Date.parse(day) / 86_400_000));

/** Sums by day and their sum over days: a Fenwick tree, of which only what is used is stored. */
export function createDayTotals() {
  const sums = new Map<number, number>();
  const upTo = (day: number) => {
    let total = 0;
    for (let place = day; place > 0; place -= place & -place) total += sums.get(place) ?? 0;
    return total;
  };
  return {
    add(day: string, points: number) {
      for (let place = numberOf(day); place < mostDays; place += place & -place)
        sums.set(place, (sums.get(place) ?? 0) + points);
    },
    /** Both days included. */
    between: (firstDay: string, lastDay: string) => upTo(numberOf(lastDay)) - upTo(numberOf(firstDay) - 1),
  };
}
