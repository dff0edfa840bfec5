import { type CercleError, type Client, errorOf, type Input, KeyRefused, Refused, Unanswered } from "./client.ts";
import type { Problem } from "./contract.ts";

/** What a shop may send later. */
interface Items {
  purchase: Input<"POST shop/purchase">;
  return: Input<"POST shop/return">;
  amend: Input<"POST shop/purchase/amend">;
  /** On the day of its sale: one that waits until the next day is refused. */
  void: Input<"POST shop/void">;
}
type Kind = keyof Items;

/** A receipt, from when it was made until your shop forgets it. */
export type Entry = {
  [Kind in keyof Items]: {
    kind: Kind;
    /** As it is sent, each time the same. Only SentAt is new each time. */
    item: Items[Kind];
    addedAt: string;
    state: "waiting" | "done" | "refused";
    answer?: Awaited<ReturnType<Client[Kind]>>;
    problem?: Problem;
  };
}[Kind];

/** Where entries are kept: a file, a table, the browser's storage. Each write replaces what is there, all or nothing. */
export interface Store {
  read(): Promise<Entry[]>;
  write(entries: readonly Entry[]): Promise<void>;
}

const batchSize = 100;
/** Cercle takes a megabyte; as text inside of the body, JSON becomes up to twice as long. */
const batchCharacters = 400_000;

/**
 * Sales and what changes them, each stored before it is sent, and sent in their order. One that is refused does not stop
 * the others; without a network everything waits.
 */
export async function createQueue(client: Client, store: Store, now: () => Date = () => new Date()) {
  const entries = await store.read();
  let writing: Promise<void> = Promise.resolve();
  let sending: Promise<boolean> | undefined;
  const save = () => {
    writing = writing.catch(() => undefined).then(() => store.write(entries));
    return writing;
  };
  const waiting = () => entries.filter(({ state }) => state === "waiting");

  function settle(entry: Entry, answer: unknown, error?: CercleError): void {
    if (!error) Object.assign(entry, { state: "done", answer });
    else if (error.isFinal) Object.assign(entry, { state: "refused", problem: error.problem });
  }

  /** One call of its own. What is not about this receipt, as no network, ends the sending. */
  async function sendOne(entry: Entry): Promise<void> {
    try {
      // The kind and its item belong together, which the compiler cannot follow.
      settle(entry, await client[entry.kind](entry.item as never));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      settle(entry, undefined, error);
    }
  }

  async function sendBatch(some: readonly Entry[]): Promise<void> {
    const Items = some.map(({ kind, item }) => ({ Kind: kind, ...item }));
    const { Outcomes } = await client.batch({ Items: Items.map(withText) });
    for (const [place, { Status, Answer, Problem }] of Outcomes.entries()) {
      const entry = some[place];
      if (entry) settle(entry, Answer, Status === 200 ? undefined : errorOf(Status, Problem));
    }
  }

  /** A return, an amendment or a void waits for its sale, and for what was changed before: Cercle would not know it yet. */
  const isBlocked = (entry: Entry) =>
    entries
      .slice(0, entries.indexOf(entry))
      .some(({ state, item }) => state === "waiting" && item.ReceiptNumber === changedBy(entry));

  async function sendAll(): Promise<boolean> {
    const tried = new Set<Entry>();
    try {
      for (;;) {
        const left = waiting().filter((entry) => !tried.has(entry) && !isBlocked(entry));
        const [first] = left;
        if (!first) break;
        const alone = left.findIndex(({ kind }) => kind === "amend" || kind === "void");
        const some = batchOf(left.slice(0, alone < 0 ? batchSize : Math.min(batchSize, Math.max(alone, 1))));
        if (some.length > 1) await sendBatch(some);
        else await sendOne(first);
        for (const entry of some) tried.add(entry);
        await save();
      }
    } catch (error) {
      if (!(error instanceof Unanswered || error instanceof KeyRefused)) throw error;
    }
    return waiting().length === 0;
  }

  return {
    /** Stores a receipt. It is safe from here on; `send` brings it to Cercle. */
    async add<K extends Kind>(kind: K, item: Items[K]): Promise<Extract<Entry, { kind: K }>> {
      const entry = { kind, item: JSON.parse(JSON.stringify(item)), addedAt: now().toISOString(), state: "waiting" };
      entries.push(entry as Entry);
      await save();
      return entry as Extract<Entry, { kind: K }>;
    },
    /** Sends what waits. True when nothing is left; call it again when the network is back, and at each start. */
    send(): Promise<boolean> {
      sending ??= sendAll().finally(() => {
        sending = undefined;
      });
      return sending;
    },
    /** Everything that is stored, oldest first. */
    entries: (): readonly Entry[] => entries,
    /** Removes entries that were answered. */
    async forget(isOld: (entry: Entry) => boolean): Promise<void> {
      const kept = entries.filter((entry) => entry.state === "waiting" || !isOld(entry));
      entries.splice(0, entries.length, ...kept);
      await save();
    },
  };
}

/** As many of them, in their order, as fit into one call; at least one. */
function batchOf(some: readonly Entry[]): readonly Entry[] {
  let characters = 0;
  const end = some.findIndex(({ item }) => {
    characters += JSON.stringify(item).length;
    return characters > batchCharacters;
  });
  return end < 0 ? some : some.slice(0, Math.max(end, 1));
}

/** The sale that an entry changes. */
const changedBy = (entry: Entry): string | undefined => {
  if (entry.kind === "return") return entry.item.OriginalReceiptNumber;
  return entry.kind === "purchase" ? undefined : entry.item.ReceiptNumber;
};

/** Codes in an item of a batch, with commas. */
const withText = (item: object) =>
  "VoucherCodes" in item && Array.isArray(item.VoucherCodes)
    ? { ...item, VoucherCodes: item.VoucherCodes.join(",") }
    : item;

/** Keeps entries in the browser. */
export const localStore = (name: string): Store => ({
  read: async () => JSON.parse(localStorage.getItem(name) ?? "[]"),
  write: async (entries) => localStorage.setItem(name, JSON.stringify(entries)),
});
