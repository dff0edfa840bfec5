import { expect, test } from "vitest";
import { identityContract } from "#identity/contract.server.ts";
import { authData } from "#identity/customer/responses.server.ts";
import { sessionCalls } from "./session-calls.ts";

test("every call that opens a session deletes the card that another customer may have left", () => {
  const opening = Object.entries(identityContract).filter(([, { response }]) => response === authData);
  expect(opening.map(([line]) => line).toSorted()).toEqual(sessionCalls.toSorted());
});
