import { expect, test } from "vitest";
import { createPublicAnswers } from "./public-cache.server.ts";

/** An API whose every answer is another, so that an answer seen twice was kept. */
function counting(cacheControl: string, status = 200) {
  let asked = 0;
  return async () => {
    asked += 1;
    return Response.json({ asked }, { status, headers: { "cache-control": cacheControl } });
  };
}

test("what the API lets caches keep is kept as long as it says, and not a moment longer", async () => {
  let now = 0;
  const keptOrAsked = createPublicAnswers(() => now);
  const ask = counting("public, max-age=60");
  const asked = async () => (await keptOrAsked("fr /api/loyalty/program", ask)).json();
  expect(await asked()).toEqual({ asked: 1 });
  now = 59_999;
  expect(await asked()).toEqual({ asked: 1 });
  now = 60_000;
  expect(await asked()).toEqual({ asked: 2 });
});

test("one language's answer is not another's, and whoever changes an answer changes their own copy", async () => {
  const keptOrAsked = createPublicAnswers();
  const ask = counting("public, max-age=60");
  const first = await (await keptOrAsked("fr /api/x", ask)).json();
  Object.assign(first, { asked: 99 });
  expect(await (await keptOrAsked("fr /api/x", ask)).json()).toEqual({ asked: 1 });
  expect(await (await keptOrAsked("de /api/x", ask)).json()).toEqual({ asked: 2 });
});

test.each([
  ["a customer's answer", "no-store", 200],
  ["a refusal", "public, max-age=60", 503],
])("%s is never kept", async (_, cacheControl, status) => {
  const keptOrAsked = createPublicAnswers();
  const ask = counting(cacheControl, status);
  await keptOrAsked("fr /api/x", ask);
  const reply = await keptOrAsked("fr /api/x", ask);
  expect(reply.status).toBe(status);
  expect(await reply.json()).toEqual({ asked: 2 });
});

test("addresses without end do not fill the memory", async () => {
  const keptOrAsked = createPublicAnswers();
  const ask = counting("public, max-age=60");
  for (let index = 0; index < 51; index += 1) await keptOrAsked(`fr /api/x?${index}`, ask);
  expect(await (await keptOrAsked("fr /api/x?0", ask)).json()).toEqual({ asked: 52 });
});
