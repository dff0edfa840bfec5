import { z } from "zod";
import { listApplications, removeApplication } from "#identity/calls.ts";
import { applicationList } from "#identity/customer/responses.server.ts";
import { endpoint, fieldTypes, localeFields } from "#platform/api/endpoint.server.ts";

export const applicationContract = {
  [listApplications]: endpoint({
    summary: "The web shops and apps that may read in the customer's account.",
    access: "customer",
    input: z.object(localeFields),
    response: applicationList,
    refusals: [],
  }),
  [removeApplication]: endpoint({
    summary: "Withdraw an application's access; its tokens end.",
    access: "customer",
    input: z.object({ id: fieldTypes.text(22).regex(/^[\w-]{22}$/, "invalid"), ...localeFields }),
    response: applicationList,
    refusals: ["not_found"],
  }),
};
