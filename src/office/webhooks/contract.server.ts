import { z } from "zod";
import { fields } from "#identity/fields/fields.server.ts";
import { integerId, language, moment, nothing } from "#office/fields.server.ts";
import { endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";
import { shownDeliveries } from "#shop/webhooks/delivery/delivery-log.server.ts";
import { eventTypes } from "#shop/webhooks/event-types.ts";
import * as calls from "./calls.ts";

const state = z.enum(["waiting", "delivered", "dead", "stopped"]);
const events = () =>
  fieldTypes
    .text(400)
    .transform((text) => text.split(",").map((one) => one.trim()))
    .pipe(z.array(z.enum(eventTypes, { error: "invalid" })))
    .optional()
    .describe("Separated by commas; absent, every event");
const show = () => z.enum(shownDeliveries, { error: "invalid" }).default("all");
const one = z.object({ IdEndpoint: integerId(), ...language });
/** All of them write, for an owner who has just proved who they are. */
const written = { access: "staff", roles: ["owner"], fresh: true } as const;
const read = { access: "staff", roles: ["owner"] } as const;

/** Where events are sent, and how that went. */
export const webhooksContract = {
  [calls.listEndpoints]: endpoint({
    summary: "Endpoints of webhooks, those that are enabled first.",
    ...read,
    input: z.object(language),
    response: z.object({
      Endpoints: z.array(
        z.object({
          IdEndpoint: z.int(),
          Url: z.string(),
          OwnerEmail: z.string(),
          Events: z.array(z.string()).nullable().describe("Null: every event"),
          State: z.enum(["active", "paused", "gone", "removed"]).describe("gone: it answered 410"),
          CreatedAt: moment,
          PreviousSecretEndsAt: moment.nullable().describe("After a rotation: until then both secrets sign"),
          Waiting: z.int(),
          Dead: z.int(),
        }),
      ),
    }),
    refusals: [],
  }),
  [calls.addEndpoint]: endpoint({
    summary: "A new endpoint. Its secret is shown only now.",
    ...written,
    input: z.object({
      Url: fieldTypes
        .text(500)
        .describe("https, and of no private network; on the sandbox http and this machine work too"),
      OwnerEmail: fields.email().describe("Who is told when deliveries fail"),
      Events: events(),
      ...language,
    }),
    response: z.object({ IdEndpoint: z.int(), Secret: z.string() }),
    refusals: [],
  }),
  [calls.chooseEvents]: endpoint({
    summary: "Which events an endpoint is sent from now on.",
    ...written,
    input: one.extend({ Events: events() }),
    response: nothing,
    refusals: ["not_found"],
  }),
  [calls.pauseEndpoint]: endpoint({
    summary: "Nothing is sent to an endpoint until it is resumed; its events wait.",
    ...written,
    input: one,
    response: nothing,
    refusals: ["not_found"],
  }),
  [calls.resumeEndpoint]: endpoint({
    summary: "What has waited for a paused endpoint is sent.",
    ...written,
    input: one,
    response: nothing,
    refusals: ["not_found"],
  }),
  [calls.removeEndpoint]: endpoint({
    summary: "No more events are sent to an endpoint, for good. What waits for it ends.",
    ...written,
    input: one,
    response: nothing,
    refusals: ["not_found"],
  }),
  [calls.rotateSecret]: endpoint({
    summary: "A new secret, shown only now. Both sign for seven days.",
    ...written,
    input: one,
    response: z.object({ Secret: z.string() }),
    refusals: ["not_found"],
  }),
  [calls.sendTest]: endpoint({
    summary: "Sends the event webhook.test to one endpoint.",
    ...written,
    input: one,
    response: z.object({ IdEvent: z.int() }),
    refusals: ["not_found"],
  }),
  [calls.listDeliveries]: endpoint({
    summary: "The log of deliveries of the last 30 days: those that failed first, then the newest, fifty a page.",
    ...read,
    input: z.object({
      IdEndpoint: integerId().optional(),
      Show: show(),
      Cursor: fieldTypes
        .text(20)
        .regex(/^[01]\.[1-9]\d{0,14}$/, "invalid")
        .optional()
        .describe("NextCursor of the page before"),
      ...language,
    }),
    response: z.object({
      Deliveries: z.array(
        z.object({
          IdDelivery: z.int(),
          IdEvent: z.int(),
          Type: z.string(),
          EventAt: moment,
          IdEndpoint: z.int(),
          Url: z.string(),
          State: state,
          Failed: z.boolean(),
          Attempts: z.int(),
          NextAt: moment.nullable(),
          TriedAt: moment.nullable(),
          Status: z.int().nullable(),
          Error: z.string().nullable(),
          Milliseconds: z.int().nullable(),
        }),
      ),
      NextCursor: z.string().nullable(),
    }),
    refusals: [],
  }),
  [calls.deliveriesCsv]: endpoint({
    summary: "The same log as CSV, sent while it is read.",
    ...read,
    input: z.object({ IdEndpoint: integerId().optional(), Show: show(), ...language }),
    response: z.string(),
    responseType: "text/csv",
    refusals: [],
  }),
  [calls.readDelivery]: endpoint({
    summary: "One delivery: what was sent, each attempt, and the first kilobyte of each answer.",
    ...read,
    input: z.object({ IdDelivery: fieldTypes.id(), ...language }),
    response: z.object({
      IdDelivery: z.int(),
      IdEvent: z.int(),
      Type: z.string(),
      Url: z.string(),
      State: state,
      NextAt: moment.nullable(),
      Payload: z.record(z.string(), z.unknown()),
      Attempts: z.array(
        z.object({
          At: moment,
          Status: z.int().nullable(),
          Error: z.string().nullable(),
          Milliseconds: z.int(),
          Answer: z.string().nullable(),
        }),
      ),
    }),
    refusals: ["not_found"],
  }),
  [calls.resend]: endpoint({
    summary: "Sends one delivery again, or every dead letter of an endpoint.",
    ...written,
    input: z.object({ IdDelivery: fieldTypes.id().optional(), IdEndpoint: integerId().optional(), ...language }),
    response: z.object({ Sent: z.int() }),
    refusals: ["not_found"],
  }),
};

type WebhooksContract = typeof webhooksContract;
declare module "#platform/api/api.ts" {
  interface Api extends WebhooksContract {}
}
