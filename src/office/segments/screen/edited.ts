import { type Condition, isCondition, kindOf, type Segment } from "#loyalty/segments/segment.ts";

/** A condition or a group as it is edited: what is not to hold is marked, and each has a key of its own. */
export type Item = { key: number; negated: boolean } & (
  | { condition: Condition }
  | { mode: "all" | "any"; items: Item[] }
);
export type Group = Extract<Item, { items: Item[] }>;

let keys = 0;
const newKey = () => {
  keys += 1;
  return keys;
};

export const newCondition = (): Item => ({ key: newKey(), negated: false, condition: { fact: "status", in: [] } });
export const newGroup = (): Group => ({ key: newKey(), negated: false, mode: "any", items: [newCondition()] });

function itemOf(segment: Segment, negated = false): Item {
  if (isCondition(segment)) return { key: newKey(), negated, condition: segment };
  if ("not" in segment) return itemOf(segment.not, !negated);
  const [mode, inner] = "all" in segment ? (["all", segment.all] as const) : (["any", segment.any] as const);
  return { key: newKey(), negated, mode, items: inner.map((one) => itemOf(one)) };
}

/** A definition to be edited; the outermost is a group that holds. */
export function groupOf(segment: Segment): Group {
  const item = itemOf(segment);
  return "items" in item && !item.negated ? item : { key: newKey(), negated: false, mode: "all", items: [item] };
}

/** A condition of which nothing is chosen yet; the server would refuse to count by it. */
export const isChosen = (item: Item): boolean =>
  "items" in item ? item.items.every(isChosen) : !kindOf(item.condition.fact).choice || !!item.condition.in?.[0];

export function segmentOf(item: Item): Segment {
  const inner: Segment =
    "condition" in item
      ? item.condition
      : item.mode === "all"
        ? { all: item.items.map(segmentOf) }
        : { any: item.items.map(segmentOf) };
  return item.negated ? { not: inner } : inner;
}
