import { expect, test } from "vitest";
import { createPasswordHashes } from "./password-hashes.server.ts";

test("a hash is argon2id at 19 MiB, two passes, one lane, and salted", async () => {
  const { hash, matches } = createPasswordHashes();
  const [one, other] = await Promise.all([hash("secret-42"), hash("secret-42")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(other);
  expect(await matches("secret-42", one)).toBe(true);
  expect(await matches("secret-43", one)).toBe(false);
});

test("without a hash nothing matches", async () => {
  const { matches } = createPasswordHashes();
  expect(await matches("secret-42", null)).toBe(false);
  expect(await matches("", undefined)).toBe(false);
});

test("past its limit the queue refuses at once with 503, and works again afterwards", async () => {
  const { hash } = createPasswordHashes({ atOnce: 1, waitingLimit: 2 });
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => hash("secret-42")));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected", "rejected"]);
  for (const result of results)
    if (result.status === "rejected")
      expect(result.reason).toMatchObject({ code: "unavailable", status: 503, retryAfterSeconds: 1 });
  await hash("secret-42");
});
