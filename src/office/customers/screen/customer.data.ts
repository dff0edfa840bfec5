import type { LoaderFunctionArgs } from "react-router";
import { readCustomer, readTimeline } from "#office/customers/calls.ts";
import type { TimelineFilter } from "#office/customers/choices.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";

export type CustomerRecord = ResponseBody<typeof readCustomer>;

/** What the form of every action on a customer is given. */
export interface PanelProps {
  record: CustomerRecord;
  onDone: (words: string) => void;
  onClose: () => void;
}

export async function loadCustomer({ request }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams;
  const IdCustomer = params.get("id") ?? "";
  const Show = (params.get("show") ?? "all") as TimelineFilter;
  const cursor = params.get("cursor");
  const [record, timeline] = await Promise.all([
    browserCall(readCustomer, { IdCustomer }),
    browserCall(readTimeline, { IdCustomer, Show, ...(cursor && { Cursor: cursor }) }),
  ]);
  return { record, timeline };
}
