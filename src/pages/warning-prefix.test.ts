import { expect, test, vi } from "vitest";
import { autologin, editCustomer, readCustomer, register, signInWithFacebook } from "#identity/calls.ts";
import { readLoyalty } from "#loyalty/calls.ts";
import { createCall } from "#platform/api/client/client.ts";
import { readPoster } from "#shop/calls.ts";
import { warningPrefix } from "./warning-prefix.ts";

test.each([
  [readLoyalty, "Error fetching product: "],
  [readPoster, "Error fetching product: "],
  [editCustomer, "Error editing customer: "],
  [autologin, "Error signing in by link: "],
  [register, ""],
  [signInWithFacebook, ""],
  [readCustomer, undefined],
])("the warning of a failed %s begins with '%s'", (line, prefix) => {
  expect(warningPrefix(line)).toBe(prefix);
});

test("a failure of the club is worded as the specification's client words it, and warned of in the log", async () => {
  const warn = vi.fn();
  const call = createCall(async () => Response.json({ code: "not_found" }, { status: 404 }), { warn, warningPrefix });
  await expect(call(readLoyalty)).rejects.toThrow("Error fetching product: Unexpected status code: 404");
  expect(warn).toHaveBeenCalledExactlyOnceWith("Error fetching product: Unexpected status code: 404");
});
