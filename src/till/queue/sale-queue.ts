import { useEffect } from "react";
import { amountOf, sumCents } from "#brand/amounts.ts";
import { createStore, useStore } from "#ui/browser/store.ts";
import { type OfflineSale, type QueuedSale, type StoredSale, transact } from "./database.ts";

export interface RefusedSale extends QueuedSale {
  /** The problem's detail, for the person at the till. */
  detail: string;
  code: string;
  /** The number under which it is rung up again. */
  again?: string;
}

export interface SaleQueue {
  waiting: (QueuedSale & { tried: boolean })[];
  refused: RefusedSale[];
}

export const saleQueue = createStore<SaleQueue>({ waiting: [], refused: [] });

/** What waits and what was refused, in all tabs of this browser. */
export function useSaleQueue(): SaleQueue {
  useEffect(() => void openSaleQueue(), []);
  return useStore(saleQueue, (queue) => queue);
}

/** What was to pay. */
export function queuedAmount({ Amount, Lines }: OfflineSale): string {
  if (Amount !== undefined) return Amount;
  return amountOf(sumCents((Lines ?? []).map((line) => line.Amount)));
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

async function shopOf(device: { get(key: "shop"): Promise<number | string | undefined> }): Promise<number | undefined> {
  const shop = await device.get("shop");
  return shop === undefined ? undefined : Number(shop);
}

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
  if (shop !== undefined) await transact(["device"], "readwrite", ({ store }) => store.put(shop, "shop"));
  if (!changes) {
    changes = changesOf();
    changes.onmessage = () => void refresh();
  }
  await refresh();
}

async function refresh(): Promise<void> {
  const waiting: SaleQueue["waiting"] = [];
  const refused: RefusedSale[] = [];
  const { sales, shop } = await readStored();
  for (const stored of sales) {
    const { order: _, refusal: __, tried, ...sale } = stored;
    const refusal = refusalOf(stored, shop);
    if (refusal) refused.push({ ...sale, ...refusal });
    else waiting.push({ ...sale, tried: tried === true });
  }
  saleQueue.set({ waiting, refused });
}

/** All sales in order, and the shop that this device is a till of, where that is known. */
function readStored(): Promise<{ sales: StoredSale[]; shop: number | undefined }> {
  return transact(["sale", "device"], "readonly", async (transaction) => ({
    sales: await transaction.objectStore("sale").index("order").getAll(),
    shop: await shopOf(transaction.objectStore("device")),
  }));
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
  const added = await transact(["sale", "device"], "readwrite", async (transaction) => {
    const [sales, device] = [transaction.objectStore("sale"), transaction.objectStore("device")];
    const known = await sales.get(ReceiptNumber);
    const shop = await shopOf(device);
    if (known && !isRefused(known, shop)) return isSame(known, sale);
    if (insteadOf !== undefined && insteadOf !== ReceiptNumber) {
      const former = await sales.get(insteadOf);
      if (isRefused(former, shop)) await sales.delete(insteadOf);
    }
    const order = Number((await device.get("order")) ?? 0) + 1;
    await device.put(order, "order");
    const stored: StoredSale = {
      ...{ ReceiptNumber, SoldAt, IdStaff, queuedAt: new Date().toISOString(), order },
      // Absent, not undefined: what is stored is what is sent.
      ...(CardNumber === undefined ? {} : { CardNumber }),
      ...(Amount === undefined ? {} : { Amount }),
      ...(Lines === undefined ? {} : { Lines }),
      ...(IdShop === undefined ? {} : { IdShop }),
    };
    await sales.put(stored);
    return true;
  });
  // Else the browser may delete it when the disk is nearly full.
  void navigator.storage?.persist?.().catch(() => {});
  await changed();
  return added;
}

/** A person has seen to a refused sale. */
export async function dismissRefused(receiptNumber: string): Promise<void> {
  await transact(["sale", "device"], "readwrite", async (transaction) => {
    const [sales, device] = [transaction.objectStore("sale"), transaction.objectStore("device")];
    const known = await sales.get(receiptNumber);
    if (known && refusalOf(known, await shopOf(device))) await sales.delete(receiptNumber);
  });
  await changed();
}

/**
 * A refused sale is rung up again under this number. It is noted before anything is sent: whatever happens to this page,
 * the next try has the same number, and the server counts both once. Undefined: the number is another sale's.
 */
export async function noteAgain(receiptNumber: string, again: string | undefined): Promise<void> {
  await transact(["sale", "device"], "readwrite", async (transaction) => {
    const [sales, device] = [transaction.objectStore("sale"), transaction.objectStore("device")];
    const known = await sales.get(receiptNumber);
    if (!known || !isRefused(known, await shopOf(device))) return;
    const { again: _, ...rest } = known;
    await sales.put(again === undefined ? rest : { ...rest, again });
  });
  await changed();
}

/** The first sales that wait, in order. */
export async function firstWaiting(most: number): Promise<QueuedSale[]> {
  const { sales, shop } = await readStored();
  const waiting = sales.filter((sale) => !refusalOf(sale, shop));
  return waiting.slice(0, most).map(({ order: _, tried: __, ...sale }) => sale);
}

/** Noted before the sales are sent: from then on the server may have them. Undefined: it has refused the call as a whole. */
export async function noteTried(sales: readonly QueuedSale[], tried: true | undefined): Promise<void> {
  await transact(["sale"], "readwrite", async ({ store }) => {
    for (const { ReceiptNumber } of sales) {
      const known = await store.get(ReceiptNumber);
      if (!known) continue;
      const { tried: _, ...rest } = known;
      await store.put(tried ? { ...rest, tried } : rest);
    }
  });
  await changed();
}

/** What the person at the till does with a sale that waits; refused once it was sent. Returns whether it was done. */
async function changeWaiting(
  receiptNumber: string,
  work: (
    sale: StoredSale,
    sales: { put(sale: StoredSale): Promise<unknown>; delete(key: string): Promise<void> },
  ) => Promise<unknown>,
): Promise<boolean> {
  const done = await transact(["sale"], "readwrite", async ({ store }) => {
    const known = await store.get(receiptNumber);
    if (!known || known.refusal || known.tried) return false;
    await work(known, store);
    return true;
  });
  await changed();
  return done;
}

/** A sale that was never made, or was made otherwise, leaves before it is sent. */
export const removeWaiting = (receiptNumber: string) =>
  changeWaiting(receiptNumber, ({ ReceiptNumber }, sales) => sales.delete(ReceiptNumber));

/** A sale that is to be corrected is not sent meanwhile. */
export const holdBack = (receiptNumber: string) =>
  changeWaiting(receiptNumber, (sale, sales) => sales.put({ ...sale, refusal: { code: "correcting", detail: "" } }));

/** It was right after all. */
export async function sendAsItWas(receiptNumber: string): Promise<void> {
  await transact(["sale"], "readwrite", async ({ store }) => {
    const known = await store.get(receiptNumber);
    if (known?.refusal?.code !== "correcting") return;
    const { refusal: _, again: __, ...rest } = known;
    await store.put(rest);
  });
  await changed();
}

/** Takes the accepted sales out of the queue and marks the refused ones. */
export async function settle(outcomes: { ReceiptNumber: string; refusal?: StoredSale["refusal"] }[]): Promise<void> {
  await transact(["sale"], "readwrite", async ({ store: sales }) => {
    for (const { ReceiptNumber, refusal } of outcomes) {
      const known = await sales.get(ReceiptNumber);
      if (!known) continue;
      if (refusal) await sales.put({ ...known, refusal });
      else await sales.delete(ReceiptNumber);
    }
  });
  await changed();
}
