import { z } from "zod";
import { endOtherSessions, endSession, listSessions } from "#identity/calls.ts";
import { nothing, sessionList } from "#identity/customer/responses.server.ts";
import { endpoint, fieldTypes, localeFields } from "#platform/api/endpoint.server.ts";

export const sessionContract = {
  [listSessions]: endpoint({
    summary: "The devices signed in.",
    access: "customer",
    input: z.object(localeFields),
    response: sessionList,
    refusals: [],
  }),
  [endSession]: endpoint({
    summary: "Sign one device out.",
    access: "customer",
    input: z.object({ id: fieldTypes.id(), ...localeFields }),
    response: nothing,
    refusals: ["not_found"],
  }),
  [endOtherSessions]: endpoint({
    summary: "Sign every other device out.",
    access: "customer",
    input: z.object(localeFields),
    response: nothing,
    refusals: [],
  }),
};
