import { expect, test } from "vitest";
import { createPublicCache } from "./public-cache.server.ts";

/** An API whose every response is different, so that one seen twice was cached. */
function counting(cacheControl: string, status = 200) {
  let count = 0;
  return async () => {
    count += 1;
    return Response.json({ count }, { status, headers: { "cache-control": cacheControl } });
  };
}

test("a public response is cached as long as its max-age, and no longer", async () => {
  let now = 0;
  const cached = createPublicCache(() => now);
  const send = counting("public, max-age=60");
  const read = async () => (await cached.get("fr /api/loyalty/program", send)).json();
  expect(await read()).toEqual({ count: 1 });
  now = 59_999;
  expect(await read()).toEqual({ count: 1 });
  now = 60_000;
  expect(await read()).toEqual({ count: 2 });
});

test("each language has its own entry, and changing a returned body does not change the cache", async () => {
  const cached = createPublicCache();
  const send = counting("public, max-age=60");
  const first = await (await cached.get("fr /api/x", send)).json();
  Object.assign(first, { count: 99 });
  expect(await (await cached.get("fr /api/x", send)).json()).toEqual({ count: 1 });
  expect(await (await cached.get("de /api/x", send)).json()).toEqual({ count: 2 });
});

test.each([
  ["a customer's response", "no-store", 200],
  ["a refusal", "public, max-age=60", 503],
])("%s is never cached", async (_, cacheControl, status) => {
  const cached = createPublicCache();
  const send = counting(cacheControl, status);
  await cached.get("fr /api/x", send);
  const reply = await cached.get("fr /api/x", send);
  expect(reply.status).toBe(status);
  expect(await reply.json()).toEqual({ count: 2 });
});

test("the number of entries is limited", async () => {
  const cached = createPublicCache();
  const send = counting("public, max-age=60");
  for (let index = 0; index < 51; index += 1) await cached.get(`fr /api/x?${index}`, send);
  expect(await (await cached.get("fr /api/x?0", send)).json()).toEqual({ count: 52 });
});
