import { z } from "zod";
import { withdrawNewsletter } from "#identity/calls.ts";
import { nothing } from "#identity/customer/responses.server.ts";
import { fields } from "#identity/fields/fields.server.ts";
import { endpoint, localeFields } from "#platform/api/endpoint.server.ts";

export const unsubscribeContract = {
  [withdrawNewsletter]: endpoint({
    summary:
      "Withdraw the consent to the newsletter, with the link in one of its emails. No one signs in, and the link stays good.",
    access: "anyone",
    input: z.object({ Token: fields.token(), ...localeFields }),
    response: nothing,
    refusals: ["link_expired"],
  }),
};
