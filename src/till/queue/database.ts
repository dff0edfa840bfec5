/** The till's database in this browser. */
const name = "cercle-till";
export const saleStore = "sale";
export const deviceStore = "device";
type StoreName = typeof saleStore | typeof deviceStore;
/** The stores of a transaction, by name. */
export type Stores = (name: StoreName) => IDBObjectStore;

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(saleStore, { keyPath: "ReceiptNumber" }).createIndex("order", "order");
      request.result.createObjectStore(deviceStore);
    };
    request.onsuccess = () => {
      const database = request.result;
      const forget = () => {
        opened = undefined;
      };
      // A tab of a later release wants to change the stores, or the browser closed it: open it again when needed.
      database.onversionchange = () => {
        database.close();
        forget();
      };
      database.onclose = forget;
      resolve(database);
    };
    request.onerror = () => {
      opened = undefined;
      reject(request.error);
    };
  });
  return opened;
}

/** The browser did not store what it was given: its disk is full, or its storage is blocked. */
export class StorageFailed extends Error {}

/**
 * Runs one transaction; resolves when it is on the disk, so that a sale survives a browser killed in the next moment. Inside,
 * nothing but the transaction's own requests may be awaited: else it ends too early.
 */
export async function transact<Result>(
  stores: StoreName[],
  mode: IDBTransactionMode,
  work: (store: Stores) => Promise<Result>,
): Promise<Result> {
  try {
    const transaction = (await open()).transaction(stores, mode, { durability: "strict" });
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const stored = work((store) => transaction.objectStore(store)).catch((error) => {
      // What was written before the failure is not kept either; an aborted transaction cannot be aborted again.
      if (!transaction.error) transaction.abort();
      throw error;
    });
    const [result] = await Promise.all([stored, done]);
    return result;
  } catch (cause) {
    throw new StorageFailed(String(cause), { cause });
  }
}

export function requested<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
