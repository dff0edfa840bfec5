import { useEffect } from "react";
import { createStore, useStore } from "#ui/store.ts";
import { deviceStore, requested, type Stores, saleStore, transact } from "./database.ts";

/** A sale as the batch call takes it, and who made it. No names: a till may be stolen. */
export interface OfflineSale {
  ReceiptNumber: string;
  SoldAt: string;
  CardNumber?: string;
  Amount?: string;
  Lines?: { Line: string; Amount: string; Earns?: boolean }[];
  IdStaff: number;
  /** Where it was sold, if that is known; the call itself goes by the till's cookie. */
  IdShop?: number;
}

export interface QueuedSale extends OfflineSale {
  queuedAt: string;
}

export interface RefusedSale extends QueuedSale {
  /** The problem's detail, for the person at the till. */
  detail: string;
  code: string;
  /** The number under which it is rung up again. */
  again?: string;
}

interface StoredSale extends QueuedSale {
  order: number;
  refusal?: { detail: string; code: string };
  again?: string;
}

export interface SaleQueue {
  waiting: QueuedSale[];
  refused: RefusedSale[];
}

export const saleQueue = createStore<SaleQueue>({ waiting: [], refused: [] });

/** What waits and what was refused, in all tabs of this browser. */
export function useSaleQueue(): SaleQueue {
  useEffect(() => void openSaleQueue(), []);
  return useStore(saleQueue, (queue) => queue);
}

const changesOf = () => new BroadcastChannel("cercle-till-queue");
let changes: BroadcastChannel | undefined;

/**
 * A device that was paired with another shop meanwhile keeps what it sold for the former one: the server may have recorded
 * that already, and under another shop the number would not keep it from counting twice. The shop is stored, so that a tab
 * that has slept since knows it too.
 */
const isElsewhere = ({ IdShop }: OfflineSale, shop: number | undefined) =>
  IdShop !== undefined && shop !== undefined && IdShop !== shop;

const shopOf = (store: Stores): Promise<number | undefined> => requested(store(deviceStore).get("shop"));

/** Why a sale is not sent. */
const refusalOf = (sale: StoredSale, shop: number | undefined) =>
  isElsewhere(sale, shop) ? { code: "another_shop", detail: "" } : sale.refusal;

/** Refused by this till's own shop: it may be rung up again. */
const isRefused = (sale: StoredSale | undefined, shop: number | undefined) =>
  sale?.refusal !== undefined && !isElsewhere(sale, shop);

/** The same sale, not another one under its number. */
const isSame = (one: OfflineSale, other: OfflineSale) =>
  (["SoldAt", "CardNumber", "Amount", "Lines", "IdShop"] as const).every(
    (name) => JSON.stringify(one[name]) === JSON.stringify(other[name]),
  );

/** Reads the queue, as a till of this shop, and again whenever another tab changes it. */
export async function openSaleQueue(shop?: number): Promise<void> {
  if (shop !== undefined)
    await transact([deviceStore], "readwrite", async (store) => void store(deviceStore).put(shop, "shop"));
  if (!changes) {
    changes = changesOf();
    changes.onmessage = () => void refresh();
  }
  await refresh();
}

async function refresh(): Promise<void> {
  const waiting: QueuedSale[] = [];
  const refused: RefusedSale[] = [];
  const { sales, shop } = await readStored();
  for (const stored of sales) {
    const { order: _, refusal: __, ...sale } = stored;
    const refusal = refusalOf(stored, shop);
    if (refusal) refused.push({ ...sale, ...refusal });
    else waiting.push(sale);
  }
  saleQueue.set({ waiting, refused });
}

/** All sales in order, and the shop that this device is a till of, where that is known. */
function readStored(): Promise<{ sales: StoredSale[]; shop: number | undefined }> {
  return transact([saleStore, deviceStore], "readonly", async (store) => {
    const sales: StoredSale[] = await requested(store(saleStore).index("order").getAll());
    return { sales, shop: await shopOf(store) };
  });
}

async function changed(): Promise<void> {
  await refresh();
  (changes ?? changesOf()).postMessage("changed");
}

/**
 * Stores a sale until the network is back. False when another one with its number waits already: that one stays. One that
 * was refused under this number is replaced; the refused one that it stands for leaves in the same moment.
 */
export async function enqueue(
  sale: OfflineSale,
  { insteadOf }: { insteadOf?: string | undefined } = {},
): Promise<boolean> {
  const { ReceiptNumber, SoldAt, CardNumber, Amount, Lines, IdStaff, IdShop } = sale;
  const added = await transact([saleStore, deviceStore], "readwrite", async (store) => {
    const known: StoredSale | undefined = await requested(store(saleStore).get(ReceiptNumber));
    const shop = await shopOf(store);
    if (known && !isRefused(known, shop)) return isSame(known, sale);
    if (insteadOf !== undefined && insteadOf !== ReceiptNumber) {
      const former: StoredSale | undefined = await requested(store(saleStore).get(insteadOf));
      if (isRefused(former, shop)) store(saleStore).delete(insteadOf);
    }
    const order: number = ((await requested(store(deviceStore).get("order"))) ?? 0) + 1;
    store(deviceStore).put(order, "order");
    const stored: StoredSale = {
      ...{ ReceiptNumber, SoldAt, IdStaff, queuedAt: new Date().toISOString(), order },
      // Absent, not undefined: what is stored is what is sent.
      ...(CardNumber === undefined ? {} : { CardNumber }),
      ...(Amount === undefined ? {} : { Amount }),
      ...(Lines === undefined ? {} : { Lines }),
      ...(IdShop === undefined ? {} : { IdShop }),
    };
    store(saleStore).put(stored);
    return true;
  });
  // Else the browser may delete it when the disk is nearly full.
  void navigator.storage?.persist?.().catch(() => {});
  await changed();
  return added;
}

/** A person has seen to a refused sale. */
export async function dismissRefused(receiptNumber: string): Promise<void> {
  await transact([saleStore, deviceStore], "readwrite", async (store) => {
    const known: StoredSale | undefined = await requested(store(saleStore).get(receiptNumber));
    if (known && refusalOf(known, await shopOf(store))) store(saleStore).delete(receiptNumber);
  });
  await changed();
}

/**
 * A refused sale is rung up again under this number. It is noted before anything is sent: whatever happens to this page,
 * the next try has the same number, and the server counts both once. Undefined: the number is another sale's.
 */
export async function noteAgain(receiptNumber: string, again: string | undefined): Promise<void> {
  await transact([saleStore, deviceStore], "readwrite", async (store) => {
    const known: StoredSale | undefined = await requested(store(saleStore).get(receiptNumber));
    if (!known || !isRefused(known, await shopOf(store))) return;
    const { again: _, ...rest } = known;
    store(saleStore).put(again === undefined ? rest : { ...rest, again });
  });
  await changed();
}

/** The first sales that wait, in order. */
export async function firstWaiting(most: number): Promise<QueuedSale[]> {
  const { sales, shop } = await readStored();
  const waiting = sales.filter((sale) => !refusalOf(sale, shop));
  return waiting.slice(0, most).map(({ order: _, ...sale }) => sale);
}

/** Takes the accepted sales out of the queue and marks the refused ones. */
export async function settle(outcomes: { ReceiptNumber: string; refusal?: StoredSale["refusal"] }[]): Promise<void> {
  await transact([saleStore], "readwrite", async (store) => {
    for (const { ReceiptNumber, refusal } of outcomes) {
      const known: StoredSale | undefined = await requested(store(saleStore).get(ReceiptNumber));
      if (!known) continue;
      if (refusal) store(saleStore).put({ ...known, refusal });
      else store(saleStore).delete(ReceiptNumber);
    }
  });
  await changed();
}
