import { z } from "zod";
import { fields } from "#identity/fields/fields.server.ts";
import { integerId, language, moment, nothing } from "#office/fields.server.ts";
import { conflictsContract } from "#office/shops/conflicts/conflicts-contract.server.ts";
import { endpoint, fieldTypes, staffRoles } from "#platform/api/endpoint.server.ts";
import { keyScopes } from "#shop/keys/key-scopes.ts";
import * as calls from "./calls.ts";

const shop = z.object({
  IdShop: z.int(),
  Name: z.string(),
  City: z.string(),
  Kind: z.enum(["boutique", "web"]),
  ClosedAt: moment.nullable(),
});
const prefix = () => fieldTypes.text(8).describe("The first part of the key, as lists show it");
const scopes = () =>
  fieldTypes
    .text(80)
    .transform((text) => text.split(",").map((one) => one.trim()))
    .pipe(z.array(z.enum(keyScopes, { error: "invalid" })).min(1, "required"))
    .describe(`Separated by commas: ${keyScopes.join(", ")}`);

/** Shops and what is in them. The role shop sees and changes its own alone. */
export const shopsContract = {
  [calls.listShops]: endpoint({
    summary: "Every shop, with how much of it there is; for the role shop, its own.",
    access: "staff",
    roles: ["owner", "shop"],
    input: z.object(language),
    response: z.object({
      Shops: z.array(
        shop.extend({
          CreatedAt: moment,
          Tills: z.int().describe("Paired now"),
          Keys: z.int().describe("Valid now"),
          Conflicts: z.int().describe("Receipts that wait for a person"),
        }),
      ),
    }),
    refusals: [],
  }),
  [calls.readShop]: endpoint({
    summary: "One shop with its tills and the people who sell there.",
    access: "staff",
    roles: ["owner", "shop"],
    input: z.object({ IdShop: integerId(), ...language }),
    response: z.object({
      Shop: shop,
      Tills: z.array(
        z.object({
          Till: z.string().describe("The prefix of its key"),
          Name: z.string(),
          PairedAt: moment,
          SeenAt: moment.nullable().describe("Written at most once an hour"),
          RevokedAt: moment.nullable(),
        }),
      ),
      Staff: z.array(
        z.object({
          IdStaff: z.int(),
          Firstname: z.string(),
          Lastname: z.string(),
          Role: z.enum(staffRoles),
          HasPin: z.boolean(),
          HasOwnCard: z.boolean(),
          Locked: z.boolean().describe("Locked out of a till of this shop by wrong PINs"),
          IsOfShop: z.boolean().describe("False: somebody who may sign in at every till"),
        }),
      ),
    }),
    refusals: ["not_found"],
  }),
  [calls.addShop]: endpoint({
    summary: "A new shop.",
    access: "staff",
    roles: ["owner"],
    input: z.object({
      Name: fields.line(80),
      City: fields.line(80),
      Kind: z.enum(["boutique", "web"], { error: "invalid" }).default("boutique"),
      ...language,
    }),
    response: z.object({ IdShop: z.int() }),
    refusals: [],
  }),
  [calls.renameShop]: endpoint({
    summary: "Another name or city of a shop. Receipts and metrics stay with it.",
    access: "staff",
    roles: ["owner"],
    input: z.object({ IdShop: integerId(), Name: fields.line(80), City: fields.line(80), ...language }),
    response: nothing,
    refusals: ["not_found"],
  }),
  [calls.closeShop]: endpoint({
    summary: "Closes a shop: its tills are unpaired and its keys end at once. Receipts, people and metrics stay.",
    access: "staff",
    roles: ["owner"],
    fresh: true,
    input: z.object({ IdShop: integerId(), ...language }),
    response: z.object({ Tills: z.int().describe("Unpaired"), Keys: z.int().describe("Ended") }),
    refusals: ["not_found", "shop_closed"],
  }),
  [calls.reopenShop]: endpoint({
    summary: "Opens a closed shop again. Its tills are paired anew, its keys made anew.",
    access: "staff",
    roles: ["owner"],
    fresh: true,
    input: z.object({ IdShop: integerId(), ...language }),
    response: nothing,
    refusals: ["not_found"],
  }),
  [calls.pairTill]: endpoint({
    summary:
      "A code that makes one browser a till of the shop, once, within ten minutes. The role shop: of its own shop.",
    access: "staff",
    roles: ["owner", "shop"],
    fresh: true,
    input: z.object({ IdShop: integerId(), TillName: fields.line(40).optional(), ...language }),
    response: z.object({
      Code: z.string(),
      EndsAt: moment,
      Url: z.string().describe("The till's page with the code filled in"),
      QrSvg: z.string().describe("The QR code of Url"),
    }),
    refusals: ["shop_closed", "not_found"],
  }),
  [calls.revokeTill]: endpoint({
    summary: "A device is no till any more, from its next call on. The role shop: of its own shop.",
    access: "staff",
    roles: ["owner", "shop"],
    input: z.object({ Till: fieldTypes.text(8).describe("The prefix of the till's key"), ...language }),
    response: nothing,
    refusals: ["not_found"],
  }),
  [calls.listKeys]: endpoint({
    summary: "The keys of a shop, also those that have ended. Their secrets are not stored.",
    access: "staff",
    roles: ["owner"],
    input: z.object({ IdShop: integerId(), ...language }),
    response: z.object({
      Keys: z.array(
        z.object({
          Prefix: z.string(),
          Name: z.string(),
          Scopes: z.array(z.string()),
          CreatedAt: moment,
          UsedAt: moment.nullable().describe("Written at most once an hour"),
          EndsAt: moment.nullable(),
          RevokedAt: moment.nullable(),
        }),
      ),
    }),
    refusals: ["not_found"],
  }),
  [calls.addKey]: endpoint({
    summary: "A new key of a shop, which is shown only now.",
    access: "staff",
    roles: ["owner"],
    fresh: true,
    input: z.object({ IdShop: integerId(), Name: fields.line(40), Scopes: scopes().optional(), ...language }),
    response: z.object({ Prefix: z.string(), Key: z.string() }),
    refusals: ["shop_closed", "not_found"],
  }),
  [calls.rotateKey]: endpoint({
    summary: "A second key with the same name and scopes, shown only now; the first one ends seven days later.",
    access: "staff",
    roles: ["owner"],
    fresh: true,
    input: z.object({ Prefix: prefix(), ...language }),
    response: z.object({ Prefix: z.string(), Key: z.string() }),
    refusals: ["not_found"],
  }),
  [calls.revokeKey]: endpoint({
    summary: "A key is refused from its next call on.",
    access: "staff",
    roles: ["owner"],
    fresh: true,
    input: z.object({ Prefix: prefix(), ...language }),
    response: nothing,
    refusals: ["not_found"],
  }),
  [calls.addPerson]: endpoint({
    summary:
      "Somebody who sells at the shop's tills. A link by which they choose their PIN is mailed to them; it works once, for 24 hours.",
    access: "staff",
    roles: ["owner", "shop"],
    fresh: true,
    input: z.object({
      IdShop: integerId(),
      Firstname: fields.name(),
      Lastname: fields.name(),
      Email: fields.email(),
      ...language,
    }),
    response: z.object({ IdStaff: z.int() }),
    refusals: ["shop_closed", "not_found", "email_taken"],
  }),
  [calls.renewPin]: endpoint({
    summary:
      "Ends a PIN, and mails its owner a link by which they choose another. Who is signed in with the old one is signed out. The role shop: of its people.",
    access: "staff",
    roles: ["owner", "shop"],
    fresh: true,
    input: z.object({ IdStaff: integerId(), ...language }),
    response: nothing,
    refusals: ["not_found"],
  }),
  [calls.validatePinLink]: endpoint({
    summary: "Whom a link for choosing a PIN is for.",
    access: "anyone",
    input: z.object({ Token: fields.token(), ...language }),
    response: z.object({ Firstname: z.string(), Email: z.string() }),
    refusals: ["link_expired"],
  }),
  [calls.choosePin]: endpoint({
    summary: "Chooses the PIN for the tills by a mailed link, which is used up.",
    access: "anyone",
    input: z
      .object({
        Token: fields.token(),
        Pin: fieldTypes
          .text(6)
          .regex(/^\d{6}$/, "invalid")
          .describe("Six digits, none of the obvious ones"),
        ConfirmPin: fieldTypes.text(6).describe("The same again"),
        ...language,
      })
      .refine(({ Pin, ConfirmPin }) => Pin === ConfirmPin, { path: ["ConfirmPin"], error: "pin_mismatch" }),
    response: nothing,
    refusals: ["link_expired"],
  }),
  [calls.recordCard]: endpoint({
    summary:
      "Somebody's own card, which they may not ring up themselves. The role shop: of its people. Once recorded, a colleague changes it.",
    access: "staff",
    roles: ["owner", "shop"],
    fresh: true,
    input: z.object({ IdStaff: integerId(), CardNumber: fieldTypes.text(20), ...language }),
    response: nothing,
    refusals: ["not_found", "not_yourself"],
  }),
  ...conflictsContract,
};

type ShopsContract = typeof shopsContract;
declare module "#platform/api/api.ts" {
  interface Api extends ShopsContract {}
}
