import { z } from "zod";
import { listEvents, obtainEvent } from "#loyalty/calls.ts";
import { pointsLeft } from "#loyalty/ledger/contract.server.ts";
import { clubForm, clubQuery } from "#loyalty/programme/club-fields.server.ts";
import { event } from "#loyalty/programme/contract.server.ts";
import { endpoint, fieldTypes } from "#platform/api/endpoint.server.ts";

const customerEvent = event.extend({
  State: z.enum(["available", "obtained", "locked"]),
  Hint: z.string().nullable().describe("What is missing while it is locked"),
  Proof: z.string().describe("What the server looks at"),
  ObtainedAt: z.iso.datetime().nullable(),
});

export const eventsContract = {
  [listEvents]: endpoint({
    summary: "Ways to earn points, and how far the customer is with each.",
    access: "customer",
    input: z.object(clubQuery),
    response: z.object({ Events: z.array(customerEvent) }),
    refusals: ["not_found"],
  }),
  [obtainEvent]: endpoint({
    summary: "Takes the points of an event that the server can see has happened.",
    access: "customer",
    input: z.object({ ...clubForm, IdLoyaltyProgramEvent: fieldTypes.id() }),
    response: z.object({ Event: customerEvent, Points: pointsLeft }),
    refusals: ["not_found", "not_a_member", "already_obtained", "event_locked", "key_reused"],
    idempotent: true,
  }),
};
