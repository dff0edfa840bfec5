import { z } from "zod";
import { fields } from "#identity/fields/fields.server.ts";
import { language, moment, nothing } from "#office/fields.server.ts";
import { isAllowedUri } from "#oidc/clients.server.ts";
import { endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";
import * as calls from "./calls.ts";

const written = { access: "staff", roles: ["owner"], fresh: true } as const;
const one = z.object({ IdClient: fieldTypes.text(22), ...language });
const uris = () =>
  fieldTypes
    .text(2_000)
    .transform((text) => text.split(/\s+/))
    .describe("Separated by spaces or lines");
const own = "https; of a public client also a scheme of the app's own";

/** Web shops and apps at which customers sign in with their account here. */
export const clientsContract = {
  [calls.listClients]: endpoint({
    summary: "Web shops and apps at which customers sign in, the oldest first.",
    access: "staff",
    roles: ["owner"],
    input: z.object(language),
    response: z.object({
      Clients: z.array(
        z.object({
          IdClient: z.string(),
          Name: z.string(),
          RedirectUris: z.array(z.string()),
          FirstParty: z.boolean().describe("The retailer's own: customers are not asked for consent"),
          Public: z.boolean().describe("It has no secret"),
          CreatedAt: moment,
          DisabledAt: moment.nullable(),
        }),
      ),
    }),
    refusals: [],
  }),
  [calls.addClient]: endpoint({
    summary: "A new client. Its secret is shown only now; a public one has none.",
    ...written,
    input: z
      .object({
        Name: fields.line(60),
        RedirectUris: uris().describe(own),
        LogoutUris: uris().optional(),
        BackChannelLogoutUri: fieldTypes.text(500).optional().describe("Where a logout token is sent; https"),
        FirstParty: fieldTypes.flag().default(false),
        Public: fieldTypes.flag().default(false),
        ...language,
      })
      .superRefine(({ RedirectUris, LogoutUris = [], BackChannelLogoutUri, Public }, context) => {
        const refuse = (path: string) => context.addIssue({ code: "custom", message: "invalid", path: [path] });
        if (!RedirectUris.every((uri) => isAllowedUri(uri, Public))) refuse("RedirectUris");
        if (!LogoutUris.every((uri) => isAllowedUri(uri, Public))) refuse("LogoutUris");
        if (BackChannelLogoutUri !== undefined && !isAllowedUri(BackChannelLogoutUri, false))
          refuse("BackChannelLogoutUri");
      }),
    response: z.object({ IdClient: z.string(), Secret: z.string().nullable() }),
    refusals: [],
  }),
  [calls.rotateClient]: endpoint({
    summary: "A new secret, shown only now; the one before no longer works.",
    ...written,
    input: one,
    response: z.object({ Secret: z.string() }),
    refusals: ["not_found"],
  }),
  [calls.disableClient]: endpoint({
    summary: "Ends a client and everything that was issued to it.",
    ...written,
    input: one,
    response: nothing,
    refusals: ["not_found"],
  }),
};

type ClientsContract = typeof clientsContract;
declare module "#platform/api/api.ts" {
  interface Api extends ClientsContract {}
}
