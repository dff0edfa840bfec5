import type { LoaderFunctionArgs } from "react-router";
import * as calls from "#office/webhooks/calls.ts";
import type { Input, ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";

/** The filters of the log in the address, and the field of the call that each is. */
const filters = { endpoint: "IdEndpoint", show: "Show", cursor: "Cursor" } as const;

export async function loadWebhooks({ request }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams;
  const asked = Object.entries(filters).flatMap(([name, field]) => {
    const value = params.get(name);
    return value ? [[field, value]] : [];
  });
  const [{ Endpoints }, log] = await Promise.all([
    browserCall(calls.listEndpoints),
    browserCall(calls.listDeliveries, Object.fromEntries(asked) as Input<typeof calls.listDeliveries>),
  ]);
  return { Endpoints, ...log };
}

export type Endpoint = ResponseBody<typeof calls.listEndpoints>["Endpoints"][number];
/** What stands beside the page. */
export type Open =
  | { form: "add" }
  | { form: "events" | "rotate" | "remove"; endpoint: Endpoint }
  | { form: "shown"; secret: string };
