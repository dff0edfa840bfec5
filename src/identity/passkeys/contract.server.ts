import { z } from "zod";
import {
  addPasskey,
  listPasskeys,
  passkeyOptions,
  passkeySignInOptions,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
} from "#identity/calls.ts";
import { authData, passkeyList } from "#identity/customer/responses.server.ts";
import { fields } from "#identity/fields/fields.server.ts";
import { endpoint, fieldTypes, localeFields } from "#platform/api/endpoint.server.ts";

const options = z.looseObject({ challenge: z.string() });
const browserResponse = () =>
  fieldTypes
    .text(16_384)
    .describe("What the browser's authenticator returned, as JSON (toJSON of a PublicKeyCredential)");

export const passkeyContract = {
  [passkeySignInOptions]: endpoint({
    summary: "Options to sign in with a passkey, the same for everybody; good once, for ten minutes.",
    access: "anyone",
    input: z.object(localeFields),
    response: options,
    refusals: [],
  }),
  [signInWithPasskey]: endpoint({
    summary: "Sign in with a passkey.",
    access: "anyone",
    input: z.object({ Response: browserResponse(), ...localeFields }),
    response: authData,
    refusals: ["passkey_invalid", "customer_blocked"],
  }),
  [passkeyOptions]: endpoint({
    summary: "Options to make a passkey; good once, for ten minutes, in this session.",
    access: "customer",
    input: z.object({
      Password: fields.password().optional().describe("Unless they signed in within the last five minutes"),
      ...localeFields,
    }),
    response: options,
    refusals: ["proof_needed", "forbidden"],
  }),
  [addPasskey]: endpoint({
    summary: "Add a passkey as a way to sign in.",
    access: "customer",
    input: z.object({ Response: browserResponse(), Name: fields.line(60).optional(), ...localeFields }),
    response: passkeyList,
    refusals: ["passkey_invalid", "passkey_known", "passkey_limit", "forbidden"],
  }),
  [listPasskeys]: endpoint({
    summary: "The customer's passkeys.",
    access: "customer",
    input: z.object(localeFields),
    response: passkeyList,
    refusals: [],
  }),
  [renamePasskey]: endpoint({
    summary: "Give a passkey another name.",
    access: "customer",
    input: z.object({ id: fieldTypes.id(), Name: fields.line(60), ...localeFields }),
    response: passkeyList,
    refusals: ["not_found"],
  }),
  [removePasskey]: endpoint({
    summary: "Remove a passkey; the last way in stays.",
    access: "customer",
    input: z.object({ id: fieldTypes.id(), ...localeFields }),
    response: passkeyList,
    refusals: ["not_found", "last_way_in"],
  }),
};
