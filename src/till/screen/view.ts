import type { DayTotals } from "#till/screen/ready/count-day.tsx";
import type { ReceiptName } from "#till/screen/return/return.tsx";
import type { ReturnedSale } from "#till/screen/return/returned.tsx";
import type { UndoneReturn } from "#till/screen/return/undone-return.tsx";
import type { DoneSale } from "#till/screen/sale/done.tsx";
import type { Refused } from "#till/screen/sale/refused.tsx";
import type { Member } from "#till/screen/sale/use-sale.ts";

/** What a person at work looks at. */
export type View =
  | { name: "ready" | "sale" | "queue" | "kept" }
  | { name: "join"; email: string | undefined }
  | { name: "choose"; members: Member[] }
  | { name: "return"; receipt: ReceiptName | undefined }
  | { name: "count"; day: DayTotals }
  | { name: "done"; done: DoneSale }
  | { name: "undone"; answer: ReturnedSale | UndoneReturn; member: boolean }
  | { name: "refused"; refused: Refused };

export const isSelling = ({ name }: View) => name === "sale" || name === "refused";
