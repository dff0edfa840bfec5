import type { DoneSale } from "./done.tsx";
import type { Refused } from "./refused.tsx";
import type { ReceiptName } from "./return.tsx";
import type { Member } from "./use-sale.ts";

/** What somebody at work looks at. */
export type View =
  | { name: "ready" | "sale" | "join" | "queue" | "kept" }
  | { name: "choose"; members: Member[] }
  | { name: "return"; receipt: ReceiptName | undefined }
  | { name: "done"; done: DoneSale }
  | { name: "refused"; refused: Refused };

export const isSelling = ({ name }: View) => name === "sale" || name === "refused";
