import { expect, test } from "vitest";
import { createSealing } from "./sealing.server.ts";

const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

test("what another key sealed does not open, and the error says which settings to look at", () => {
  const sealed = createSealing(() => [older]).seal("secret");
  expect(createSealing(() => [newer, older]).open(sealed)).toBe("secret");
  expect(() => createSealing(() => [newer]).open(sealed)).toThrow("is WEBHOOK_KEY, PIN_KEY or OIDC_KEY");
});
