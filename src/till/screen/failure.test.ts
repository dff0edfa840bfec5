import { expect, test } from "vitest";
import { CallFailed } from "#platform/api/client/client.ts";
import { StorageFailed } from "#till/queue/database.ts";
import { failureOf } from "./failure.ts";

test.each([
  ["a proxy without a server behind it", new CallFailed(502, undefined), { offline: true, fault: false }],
  ["a broken server", new CallFailed(500, undefined), { offline: false, fault: true }],
  ["a refusal", new CallFailed(409, undefined), { offline: false, fault: false }],
  ["no response", new TypeError("Failed to fetch"), { offline: true, fault: false }],
  ["a full disk", new StorageFailed("QuotaExceededError"), { offline: false, fault: false, notStored: true }],
  ["the sign-in page of a guest network", new SyntaxError("Unexpected token <"), { offline: true, fault: false }],
])("%s is told from the others", (_, error, told) => {
  expect(failureOf(error)).toMatchObject(told);
});
