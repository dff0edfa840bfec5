import type { listDeliveries } from "#office/webhooks/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";

export type Delivery = ResponseBody<typeof listDeliveries>["Deliveries"][number];

/** The status that was answered, or why there was no answer. */
export const answerOf = ({ Status, Error: error }: Pick<Delivery, "Status" | "Error">) =>
  Status === null ? (error ?? "") : String(Status);
