import { z } from "zod";
import { eraseCustomer, exportCustomer, readExport, readExportTable } from "#identity/calls.ts";
import { exported, nothing } from "#identity/customer/responses.server.ts";
import { fields } from "#identity/fields/fields.server.ts";
import { facebookProof, googleProof, socialRefusals } from "#identity/social/contract.server.ts";
import { endpoint, localeFields } from "#platform/api/endpoint.server.ts";

export const privacyContract = {
  [eraseCustomer]: endpoint({
    summary: "Erase the account and everything personal for good.",
    access: "customer",
    input: z.object({
      Password: fields.password().optional().describe("Or one of the two proofs"),
      IdToken: googleProof().describe("A fresh proof of the linked Google-type account"),
      AccessToken: facebookProof().describe("A fresh proof of the linked Facebook-type account"),
      ...localeFields,
    }),
    response: nothing,
    refusals: [...socialRefusals, "proof_needed"],
  }),
  [exportCustomer]: endpoint({
    summary: "Everything held about the customer.",
    access: "customer",
    input: z.object(localeFields),
    response: exported,
    refusals: [],
  }),
  [readExport]: endpoint({
    summary: "The same as a document to read.",
    access: "customer",
    input: z.object(localeFields),
    response: z.string(),
    responseType: "text/html",
    refusals: [],
  }),
  [readExportTable]: endpoint({
    summary: "The same as rows for a spreadsheet.",
    access: "customer",
    input: z.object(localeFields),
    response: z.string(),
    responseType: "text/csv",
    refusals: [],
  }),
};
