import { codeLetters } from "#loyalty/card/code-alphabet.ts";
import { transact } from "./database.ts";

const deviceLetters = 6;

const randomLetters = () =>
  Array.from(
    crypto.getRandomValues(new Uint32Array(deviceLetters)),
    (number) => codeLetters[number % codeLetters.length],
  ).join("");

/**
 * A receipt number for a sale that has none: `T-BCDFGH-000123`, never given twice. The letters of the device and the counter
 * are stored together: a browser whose data were deleted counts from 1 again, under other letters.
 */
export function nextReceiptNumber(prefix = "T"): Promise<string> {
  return transact(["device"], "readwrite", async ({ store }) => {
    const device = (await store.get("letters")) ?? randomLetters();
    const count = Number((await store.get("count")) ?? 0) + 1;
    await store.put(device, "letters");
    await store.put(count, "count");
    return `${prefix}-${device}-${String(count).padStart(6, "0")}`;
  });
}
