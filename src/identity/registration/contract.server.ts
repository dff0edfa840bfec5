import { z } from "zod";
import { askEmailAvailable, register } from "#identity/calls.ts";
import { authData } from "#identity/customer/responses.server.ts";
import { fields } from "#identity/fields/fields.server.ts";
import { endpoint, localeFields } from "#platform/api/endpoint.server.ts";
import { registrationForms } from "./registration-form.server.ts";

export const registrationContract = {
  [register]: endpoint({
    summary: "Register, or with Guest=true leave what a guest's order needs.",
    access: "anyone",
    input: registrationForms,
    response: authData,
    refusals: ["email_taken"],
  }),
  [askEmailAvailable]: endpoint({
    summary: "May this address still register?",
    access: "anyone",
    input: z.object({ Email: fields.email(), ...localeFields }),
    response: z.object({ Available: z.boolean() }),
    refusals: [],
  }),
};
