import { beforeEach, expect, test } from "vitest";
import { createLog } from "#platform/log.server.ts";
import { createMetrics } from "#platform/metrics.server.ts";
import { form } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const metrics = createMetrics();
const log = createLog("silent");
let logged: object[] = [];
log.warn = (fields: object, message?: string) => void logged.push({ ...fields, kind: message });
let now = new Date();
const { product, settings } = await openTestProduct({ RATE_LIMITS: "on" }, { metrics, log, now: () => now });
beforeEach(() => {
  now = new Date(now.getTime() + 60_000);
});

let networks = 0;
function anotherAddress(): string {
  networks += 1;
  return `2001:db8:0:${networks}::1`;
}

async function report(fields: Record<string, string>, address = anotherAddress()) {
  logged = [];
  const request = new Request(new URL("/api/client-error", settings.publicUrl), form({ Message: "x", ...fields }));
  const response = await product.fetch(request, { address });
  return { status: response.status, body: await response.json(), logged };
}
const counted = async (page: string) =>
  Number((await metrics.text()).match(new RegExp(`cercle_client_errors_total\\{page="${page}"\\} (\\d+)`))?.[1] ?? 0);

const stack = `TypeError: x is undefined
    at sell (https://cercle.example/assets/till-Bx_3-a.js:1:20417)
    at https://cercle.example/assets/browser-9f.js?token=secret:12:3
    at chrome-extension://abc/inject.js:1:1`;

test("an error in a browser is logged with the files of its stack, the page and the release, and counted", async () => {
  const before = await counted("till");
  const Message = "Cannot read properties of undefined (reading 'map')";
  const { status, body, logged } = await report({ Message, Stack: stack, Page: "/de/till", Release: "0.1.0+abc" });
  expect([status, body]).toEqual([200, {}]);
  expect(logged).toEqual([
    {
      ...{ kind: "client error", requestId: expect.any(String), page: "/de/till", message: Message },
      ...{ pageRelease: "0.1.0+abc", frames: ["till-Bx_3-a.js:1:20417"] },
    },
  ]);
  expect(await counted("till")).toBe(before + 1);
});

test("nothing personal and no second line reaches the log", async () => {
  const Message = `Unexpected token 'c', "camille@exemple.fr" is not valid JSON\n{"level":"fatal"} lea@exemple.fr \u202e+33612345678 https://x.example/?token=abc 'a b'`;
  const Page = "/office/customers/4711/eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9?token=secret#x";
  const { logged } = await report({ Message, Page, Release: "not a release!" });
  const [line] = logged as { message: string; page: string; pageRelease?: string }[];
  expect(line?.message).toBe("Unexpected token 'c', … is not valid JSON {…:…} … +… … …");
  expect(line?.page).toBe("/office/customers/…/…");
  expect(line?.pageRelease).toBeUndefined();
});

test("long values are cut, and none is needed but the message", async () => {
  const { status, logged } = await report({ Message: "m ".repeat(900), Stack: "/assets/a.js:1:1 ".repeat(200) });
  expect(status).toBe(200);
  const [line] = logged as { message: string; frames: string[] }[];
  expect(line?.message.length).toBeLessThanOrEqual(200);
  expect(line?.frames).toHaveLength(5);
  expect((await report({ Message: "m".repeat(2_001) })).status).toBe(400);
});

test("what the code of others throws, as extensions do, is counted apart and not logged", async () => {
  const before = await counted("other");
  const { status, logged } = await report({ Stack: "at chrome-extension://abc/inject.js:1:1", Page: "/" });
  expect([status, logged, await counted("other")]).toEqual([200, [], before + 1]);
});

test("one client address reports twenty times in ten minutes", async () => {
  const address = anotherAddress();
  const statuses: number[] = [];
  for (let n = 0; n < 21; n += 1) statuses.push((await report({}, address)).status);
  expect(statuses).toEqual([...Array(20).fill(200), 429]);
});

test("however many addresses report, the log gets thirty lines a minute", async () => {
  let lines = 0;
  for (let n = 0; n < 40; n += 1) lines += (await report({})).logged.length;
  expect(lines).toBe(30);
});
