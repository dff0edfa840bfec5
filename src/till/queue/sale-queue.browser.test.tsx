import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { nextReceiptNumber } from "./receipt-number.ts";
import { dismissRefused, enqueue, noteAgain, openSaleQueue, saleQueue } from "./sale-queue.ts";
import { drainQueue, type PostBatch, sendQueue, sendState } from "./send-queue.ts";

/** A server that counts a receipt number once, as ours does. */
let counted: string[] = [];
let received: string[][] = [];

const accept: PostBatch = async (items) => {
  received.push(items.map(({ ReceiptNumber }) => ReceiptNumber));
  for (const { ReceiptNumber } of items) if (!counted.includes(ReceiptNumber)) counted.push(ReceiptNumber);
  return { Outcomes: items.map(({ ReceiptNumber }) => ({ ReceiptNumber, Status: 200 })) };
};

/** The server has counted them, but its response is lost. */
const loseResponse: PostBatch = async (items, sentAt) => {
  await accept(items, sentAt);
  throw new TypeError("Failed to fetch");
};

const sale = (ReceiptNumber: string) => ({
  ReceiptNumber,
  SoldAt: "2026-11-16T14:51:00.000Z",
  CardNumber: "2912345678937",
  Amount: "89.00",
  IdStaff: 3,
});
const enqueueAll = async (...numbers: string[]) => {
  for (const number of numbers) await enqueue(sale(number));
};
const waiting = () => saleQueue.get().waiting.map(({ ReceiptNumber }) => ReceiptNumber);
const refused = () => saleQueue.get().refused.map(({ ReceiptNumber, detail, code }) => [ReceiptNumber, code, detail]);

/** Waits until the sender has given its lock back. */
const nobodySends = () => navigator.locks.request("cercle-till-sender", () => {});

type Tab = typeof import("./sale-queue.ts") &
  typeof import("./send-queue.ts") &
  typeof import("./receipt-number.ts") & { close(): void };

/** A document of its own, with its own modules and its own connection to the same database. */
async function openTab(): Promise<Tab> {
  const frame = document.body.appendChild(document.createElement("iframe"));
  const load = (file: string) =>
    (frame.contentWindow as unknown as typeof globalThis).eval(`import("${new URL(file, import.meta.url)}")`);
  const modules = await Promise.all(["./sale-queue.ts", "./send-queue.ts", "./receipt-number.ts"].map(load));
  const tab: Tab = Object.assign({}, ...modules, { close: () => frame.remove() });
  expect(tab.saleQueue).not.toBe(saleQueue);
  return tab;
}

beforeEach(async () => {
  counted = [];
  received = [];
  await openSaleQueue();
});
afterEach(async () => {
  await sendQueue(accept);
  for (const { ReceiptNumber } of saleQueue.get().refused) await dismissRefused(ReceiptNumber);
});

test("sales are sent in the order in which they were made, at most a hundred at once", async () => {
  const numbers = Array.from({ length: 230 }, (_, index) => `r-${(index * 7) % 230}`);
  await enqueueAll(...numbers);
  expect(waiting()).toEqual(numbers);
  await sendQueue(accept);
  expect(received.map(({ length }) => length)).toEqual([100, 100, 30]);
  expect(received.flat()).toEqual(numbers);
  expect(waiting()).toEqual([]);
});

test("an item is what the API takes, with the person who sold it, and no more", async () => {
  await enqueue({ ...sale("a"), Name: "Camille" } as ReturnType<typeof sale>);
  const { Amount: _, CardNumber: __, ...bare } = sale("b");
  await enqueue({ ...bare, Lines: [{ Line: "1", Amount: "5.00" }] });
  const post = vi.fn(accept);
  await sendQueue(post);
  expect(post).toHaveBeenCalledWith(
    [
      { Kind: "purchase", ...sale("a") },
      { Kind: "purchase", ...bare, Lines: [{ Line: "1", Amount: "5.00" }] },
    ],
    expect.stringMatching(/^\d{4}-.*Z$/),
  );
});

test("after a lost response the sales wait, are sent again, and count once", async () => {
  await enqueueAll("a", "b");
  await expect(sendQueue(loseResponse)).rejects.toThrow("Failed to fetch");
  expect(waiting()).toEqual(["a", "b"]);
  await sendQueue(accept);
  expect(received).toEqual([
    ["a", "b"],
    ["a", "b"],
  ]);
  expect(counted).toEqual(["a", "b"]);
  expect(waiting()).toEqual([]);
});

test("a refused sale does not stop the others, and stays until a person dismisses it", async () => {
  await enqueueAll("a", "b", "c");
  const Problem = { code: "receipt_known", detail: "Ce ticket est déjà enregistré." };
  await sendQueue(async (items, sentAt) => {
    const { Outcomes } = await accept(items, sentAt);
    return { Outcomes: Outcomes.map((one) => (one.ReceiptNumber === "b" ? { ...one, Status: 409, Problem } : one)) };
  });
  expect(waiting()).toEqual([]);
  expect(refused()).toEqual([["b", "receipt_known", "Ce ticket est déjà enregistré."]]);
  // It is not sent again.
  await sendQueue(accept);
  expect(received).toEqual([["a", "b", "c"]]);
  // Another tab sees it too.
  const other = await openTab();
  await other.openSaleQueue();
  expect(other.saleQueue.get().refused).toMatchObject([{ ReceiptNumber: "b", IdStaff: 3 }]);
  await dismissRefused("b");
  expect(refused()).toEqual([]);
  await expect.poll(() => other.saleQueue.get().refused).toEqual([]);
  other.close();
});

test.each([429, 503])("a %i keeps its sale and stops; what was accepted leaves", async (Status) => {
  await enqueueAll("a", "b", "c");
  await sendQueue(async (items, sentAt) => {
    const { Outcomes } = await accept(items, sentAt);
    return { Outcomes: Outcomes.map((one) => (one.ReceiptNumber === "b" ? { ...one, Status } : one)) };
  });
  expect(received).toEqual([["a", "b", "c"]]);
  expect(waiting()).toEqual(["b"]);
});

test("outcomes that are missing keep their sales", async () => {
  await enqueueAll("a", "b");
  await sendQueue(async (items, sentAt) => ({ Outcomes: (await accept(items, sentAt)).Outcomes.slice(0, 1) }));
  expect(waiting()).toEqual(["b"]);
});

test("a sale is queued once; one that was refused may be queued again, at the end", async () => {
  expect(await enqueue(sale("a"))).toBe(true);
  // The same one once more, as after a second press.
  expect(await enqueue(sale("a"))).toBe(true);
  expect(await enqueue({ ...sale("a"), Amount: "1.00" })).toBe(false);
  expect(saleQueue.get().waiting).toMatchObject([{ Amount: "89.00" }]);
  await sendQueue(async () => ({ Outcomes: [{ ReceiptNumber: "a", Status: 422 }] }));
  expect(refused()).toEqual([["a", "422", ""]]);
  await enqueue(sale("b"));
  expect(await enqueue({ ...sale("a"), Amount: "1.00" })).toBe(true);
  expect(waiting()).toEqual(["b", "a"]);
  expect(refused()).toEqual([]);
});

test("a refused sale that is rung up again keeps its new number, and leaves in the moment in which the new one is kept", async () => {
  await enqueue(sale("a"));
  const refuse: PostBatch = async () => ({ Outcomes: [{ ReceiptNumber: "a", Status: 409 }] });
  await sendQueue(refuse);
  await noteAgain("a", "new");
  // A page that is loaded again, and any other, finds the number with the sale.
  const other = await openTab();
  await other.openSaleQueue();
  expect(other.saleQueue.get().refused).toMatchObject([{ ReceiptNumber: "a", again: "new" }]);
  other.close();
  // One that does not wait here any more, or was not refused, is given no number.
  await noteAgain("gone", "x");
  await enqueue(sale("new"), { insteadOf: "a" });
  expect(refused()).toEqual([]);
  expect(waiting()).toEqual(["new"]);
  // The number is that of a sale that waits: neither is lost.
  await enqueue(sale("b"));
  await sendQueue(async () => ({
    Outcomes: [
      { ReceiptNumber: "new", Status: 503 },
      { ReceiptNumber: "b", Status: 409 },
    ],
  }));
  expect(await enqueue({ ...sale("new"), Amount: "1.00" }, { insteadOf: "b" })).toBe(false);
  expect(refused()).toEqual([["b", "409", ""]]);
  await dismissRefused("b");
  // Under the number that it had: it is replaced.
  await sendQueue(async () => ({ Outcomes: [{ ReceiptNumber: "new", Status: 409 }] }));
  await enqueue(sale("new"), { insteadOf: "new" });
  expect(refused()).toEqual([]);
  expect(waiting()).toEqual(["new"]);
});

test("what was sold for another shop is not sent as this one's, and is sent when the device is that shop's again", async () => {
  await enqueue({ ...sale("a"), IdShop: 1 });
  await enqueue({ ...sale("b"), IdShop: 2 });
  await enqueue(sale("c"));
  await openSaleQueue(2);
  expect(waiting()).toEqual(["b", "c"]);
  expect(refused()).toEqual([["a", "another_shop", ""]]);
  const post = vi.fn(accept);
  await sendQueue(post);
  expect(received).toEqual([["b", "c"]]);
  expect(post.mock.calls[0]?.[0][0]).toEqual({ Kind: "purchase", ...sale("b") });
  // Another tab, which was a till of the first shop and has slept since, does not send it either.
  const other = await openTab();
  await other.openSaleQueue();
  expect(other.saleQueue.get().waiting).toEqual([]);
  other.close();
  await openSaleQueue(1);
  expect(refused()).toEqual([]);
  await sendQueue(accept);
  expect(received).toEqual([["b", "c"], ["a"]]);
});

test("what another shop has refused cannot be rung up as this one's", async () => {
  await enqueue({ ...sale("a"), IdShop: 1 });
  await openSaleQueue(1);
  await sendQueue(async () => ({ Outcomes: [{ ReceiptNumber: "a", Status: 409 }] }));
  expect(refused()).toEqual([["a", "409", ""]]);
  await openSaleQueue(2);
  expect(refused()).toEqual([["a", "another_shop", ""]]);
  await noteAgain("a", "new");
  await enqueue({ ...sale("new"), IdShop: 2 }, { insteadOf: "a" });
  await openSaleQueue(1);
  expect(refused()).toEqual([
    ["a", "409", ""],
    ["new", "another_shop", ""],
  ]);
  expect(saleQueue.get().refused[0]).not.toHaveProperty("again");
});

test("two tabs send one after the other: no sale is sent twice", async () => {
  await enqueueAll("a", "b", "c");
  const other = await openTab();
  await other.openSaleQueue();
  expect(other.saleQueue.get().waiting).toHaveLength(3);
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const slow = vi.fn<PostBatch>(async (items, sentAt) => {
    await answered;
    return accept(items, sentAt);
  });
  const first = sendQueue(slow);
  await expect.poll(() => slow).toHaveBeenCalled();
  const second = other.sendQueue(accept);
  await enqueue(sale("d"));
  answer();
  await Promise.all([first, second]);
  expect(received).toEqual([["a", "b", "c"], ["d"]]);
  await expect.poll(() => other.saleQueue.get().waiting).toEqual([]);
  other.close();
});

test("a tab that is closed while it sends leaves its sales to the others, and they count once", async () => {
  await enqueueAll("a", "b");
  const other = await openTab();
  let sentByOther = false;
  // The server has them; the tab is gone before the response is there.
  void other.sendQueue(async (items, sentAt) => {
    await accept(items, sentAt);
    sentByOther = true;
    return new Promise(() => {});
  });
  await expect.poll(() => sentByOther).toBe(true);
  other.close();
  await sendQueue(accept);
  expect(waiting()).toEqual([]);
  expect(received).toHaveLength(2);
  expect(counted).toEqual(["a", "b"]);
});

test("two tabs that count receipts at the same time never give a number twice", async () => {
  const other = await openTab();
  const numbers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 ? nextReceiptNumber() : other.nextReceiptNumber())),
  );
  other.close();
  expect(new Set(numbers).size).toBe(40);
  for (const number of numbers) expect(number).toMatch(/^T-[BCDFGHJKMNPQRSTVWXZ]{6}-\d{6}$/);
  expect(new Set(numbers.map((number) => number.slice(0, 8))).size).toBe(1);
  expect(await nextReceiptNumber("L2")).toMatch(/^L2-/);
});

test("on load and when the network is back the queue is sent, and while something waits every 30 s", async () => {
  await enqueueAll("a");
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const post = vi.fn(loseResponse);
  const { stop } = drainQueue(post);
  await expect.poll(() => post).toHaveBeenCalledTimes(1);
  await nobodySends();
  dispatchEvent(new Event("online"));
  await expect.poll(() => post).toHaveBeenCalledTimes(2);
  await nobodySends();
  post.mockImplementation(accept);
  vi.advanceTimersByTime(30_000);
  await expect.poll(() => waiting()).toEqual([]);
  vi.advanceTimersByTime(90_000);
  stop();
  dispatchEvent(new Event("online"));
  vi.useRealTimers();
  expect(post).toHaveBeenCalledTimes(3);
  expect(counted).toEqual(["a"]);
});

test("a sale that is kept is sent at once; what the server could not take is known, and sent again when somebody asks", async () => {
  const post = vi.fn<PostBatch>().mockRejectedValue(new Error("500"));
  const { send, stop } = drainQueue(post);
  await nobodySends();
  expect(sendState.get().failed).toBe(false);
  await enqueueAll("a");
  await expect.poll(() => sendState.get()).toEqual({ sending: false, failed: true });
  post.mockImplementation(accept);
  send();
  expect(sendState.get()).toEqual({ sending: true, failed: true });
  await expect.poll(() => sendState.get()).toEqual({ sending: false, failed: false });
  expect(counted).toEqual(["a"]);
  stop();
});
