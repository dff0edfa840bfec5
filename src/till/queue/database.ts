import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from "idb";
import type { PriceType } from "#loyalty/programme/line-rule.ts";

/** A line that is sent, or waits to be: its amount, whether it earns, and what it says of itself. */
export interface SentLine {
  Amount: string;
  Earns?: boolean;
  PriceType?: PriceType | undefined;
  Codes?: string[] | undefined;
}

/** A sale as the batch call takes it, and who made it. No names: a till may be stolen. */
export interface OfflineSale {
  ReceiptNumber: string;
  SoldAt: string;
  CardNumber?: string;
  Amount?: string;
  Lines?: (SentLine & { Line: string })[];
  IdStaff: number;
  /** Where it was sold, if that is known; the call itself goes by the till's cookie. */
  IdShop?: number;
}

export interface QueuedSale extends OfflineSale {
  queuedAt: string;
}

export interface StoredSale extends QueuedSale {
  order: number;
  /** Why it is not sent: the server refused it, or a person corrects it. Of a card that no member has: it was recorded. */
  refusal?: { detail: string; code: string };
  /** It was sent, and no one knows whether it arrived. */
  tried?: true;
  again?: string;
}

/** How a person's PIN is checked on this device without a network (src/till/screen/sign-in/offline-pins.ts). */
export interface OfflinePin {
  IdStaff: number;
  Name: string;
  /** Of the PIN that was typed; another one in the list of staff means that the PIN was replaced. */
  PinMark: string;
  salt: Uint8Array<ArrayBuffer>;
  iterations: number;
  hash: Uint8Array<ArrayBuffer>;
  failedAttempts: number;
}

/** The till's database in this browser. */
interface TillSchema extends DBSchema {
  pin: { key: number; value: OfflinePin };
  sale: { key: string; value: StoredSale; indexes: { order: number } };
  /** Of this device: its shop and letters, the last order and the last receipt number. */
  device: { key: "shop" | "letters" | "order" | "count"; value: number | string };
}
type Names = ArrayLike<StoreNames<TillSchema>>;

let opened: Promise<IDBPDatabase<TillSchema>> | undefined;

function open(): Promise<IDBPDatabase<TillSchema>> {
  const forget = () => {
    opened = undefined;
  };
  opened ??= openDB<TillSchema>("cercle-till", 2, {
    upgrade(database, formerVersion) {
      if (formerVersion < 1) {
        database.createObjectStore("sale", { keyPath: "ReceiptNumber" }).createIndex("order", "order");
        database.createObjectStore("device");
      }
      database.createObjectStore("pin", { keyPath: "IdStaff" });
    },
    // A tab of a later release wants to change the stores, or the browser closed it: open it again when needed.
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close();
      forget();
    },
    terminated: forget,
  }).catch((error) => {
    forget();
    throw error;
  });
  return opened;
}

/** The browser did not store what it was given: its disk is full, or its storage is blocked. */
export class StorageFailed extends Error {}

/**
 * Runs one transaction; resolves when it is on the disk, so that a sale survives a browser killed in the next moment. Inside,
 * nothing but the transaction's own requests may be awaited: else it ends too early.
 */
export async function transact<const Stores extends Names, Mode extends "readonly" | "readwrite", Result>(
  stores: Stores,
  mode: Mode,
  work: (transaction: IDBPTransaction<TillSchema, Stores, Mode>) => Promise<Result>,
): Promise<Result> {
  try {
    const transaction = (await open()).transaction(stores, mode, { durability: "strict" });
    const stored = work(transaction).catch((error) => {
      // What was written before the failure is not kept either; an aborted transaction cannot be aborted again.
      if (!transaction.error) transaction.abort();
      throw error;
    });
    const [result] = await Promise.all([stored, transaction.done]);
    return result;
  } catch (cause) {
    throw new StorageFailed(String(cause), { cause });
  }
}
