import { expect, test } from "vitest";
import { deviceName } from "#identity/session/device/device-name.server.ts";
import { readBody } from "#platform/api/fields.server.ts";
import { compressed } from "#platform/compress.server.ts";
import { enter, registrationForm } from "#testing/people.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const { fetch, call } = await openTestProduct({ TRUST_PROXY: "on", SANDBOX: "on" });
const { Token } = await enter(call, registrationForm({ LoyaltySubscribe: true }));

/** Node takes 16 kB of headers, and the product 64 kB of body. */
const headerLength = 15_000;
const bodyLength = 60_000;
const times = (text: string, length: number) => text.repeat(Math.floor(length / text.length));

/** CPU time of this process in ms, which other processes do not change. The minimum of three, to leave out garbage collection. */
async function cost(work: () => unknown): Promise<number> {
  const spent: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const before = process.cpuUsage();
    await work();
    spent.push(process.cpuUsage(before).user / 1_000);
  }
  return Math.min(...spent);
}

/** A quadratic pattern costs hundreds of milliseconds at these lengths, a linear one less than the noise of 30. */
async function expectSimilarCost(hostile: () => unknown, harmless: () => unknown, bound = { ratio: 3, noiseMs: 30 }) {
  const baseline = await cost(harmless);
  expect(await cost(hostile)).toBeLessThan(bound.ratio * baseline + bound.noiseMs);
}

const page = (headers: Record<string, string>) => fetch("/loyalty", { headers });
const club = (headers: Record<string, string>) =>
  fetch("/account/loyalty/subscribe", { headers: { cookie: `auth.token=${Token}`, ...headers } });
const profile = (headers: Record<string, string>) => fetch("/api/customer", { headers });
const available = (headers: Record<string, string>) =>
  fetch("/api/customer/email/available", { method: "POST", body: "--x\r\n", headers });

test.each([
  ["accept-encoding", page, "br", " "],
  ["accept-encoding", page, "gzip;q=1", " \t"],
  ["accept-encoding", page, "", ", "],
  ["accept-encoding", page, "", "br;q="],
  ["accept-language", page, "fr", " "],
  ["accept-language", page, "", "fr;q=,"],
  ["accept-language", page, "", "fr-"],
  ["user-agent", club, "", "Version/"],
  ["user-agent", club, "", "Macintosh Version/1 "],
  ["user-agent", club, "Macintosh", " Version/1."],
  ["cookie", profile, "", "a=b; "],
  ["cookie", profile, "auth.token=", " "],
  ["cookie", profile, "auth.token", "="],
  ["cookie", profile, "auth.logout=1; ", "=;"],
  ["cookie", page, "", "; auth.token"],
  ["authorization", profile, "Bearer", " "],
  ["authorization", profile, "Bearer a", " "],
  ["authorization", profile, "", "Bearer "],
  ["traceparent", profile, "", "00-"],
  ["traceparent", profile, "", "0"],
  ["x-forwarded-for", available, "", ","],
  ["x-forwarded-for", available, "", "::"],
  ["x-forwarded-for", available, "::ffff:", "1."],
  ["x-forwarded-for", available, "::", "0"],
  ["content-type", available, "multipart/form-data; boundary=x", "; "],
  ["content-type", available, 'multipart/form-data; boundary="', '\\"'],
  ["content-type", available, "multipart/form-data", " "],
] as const)("a hostile %s costs no more than a harmless one of its length: %#", async (name, ask, head, part) => {
  const hostile = `${head}${times(part, headerLength)}!`;
  // The same headers, so that both take the same code path.
  const harmless = `${head}${"x".repeat(hostile.length - head.length)}`;
  await expectSimilarCost(
    () => ask({ [name]: hostile }),
    () => ask({ [name]: harmless }),
  );
});

test("reading an Accept-Encoding, or the device of a user agent, is linear in its length", async () => {
  const text = "x".repeat(2_000);
  await expectSimilarCost(
    () => compressed(text, `br${times(" ", headerLength)}!`),
    () => compressed(text, "x".repeat(headerLength)),
  );
  await expectSimilarCost(
    () => deviceName(times("Version/", headerLength)),
    () => deviceName("x".repeat(headerLength)),
  );
});

test.each(["/", "en/", "/account", "%2F", ".", "./", "a."])(
  "a path made of %j costs no more than a harmless one of its length",
  async (part) => {
    for (const start of ["/", "/en", "/api/loyalty/wallet/apple/v1/passes/"]) {
      const path = `${start}${times(part, headerLength)}!`;
      const baseline = `${start}${"x".repeat(path.length - start.length)}`;
      await expectSimilarCost(
        () => fetch(new URL(`http://localhost:3000${path}`).href),
        () => fetch(new URL(`http://localhost:3000${baseline}`).href),
      );
    }
  },
);

test.each(["a&", "=", "&", "%", "Cursor=", "LanguageIsoCode=fr-"])(
  "a query made of %j costs no more than a harmless one of its length",
  async (part) => {
    for (const path of [
      "/api/loyalty/history",
      "/account/loyalty/subscribe",
      "/authenticate/login",
      "/sandbox/mailbox.json",
    ])
      await expectSimilarCost(
        () => fetch(`${path}?${times(part, headerLength)}!`),
        () => fetch(`${path}?a=${"x".repeat(headerLength)}`),
      );
  },
);

const json = (names: string[]) => `{${names.map((name) => `"${name}":1`).join()}}`;
/** Many names take time by themselves, so the baseline has half as many. */
const names = Array.from({ length: bodyLength / 8 }, (_, n) => (n + 1_296).toString(36));
const send = (type: string, body: string) => () =>
  fetch("/api/customer/email/available", { method: "POST", body, headers: { "content-type": type } });

test("a JSON body of many names, the last one sent twice, costs no more than one without", async () => {
  const read = (body: string) =>
    readBody(
      new Request("http://localhost", { method: "POST", body, headers: { "content-type": "application/json" } }),
    );
  const twice = json([...names, names.at(-1) ?? ""]);
  await expect(read(twice)).rejects.toMatchObject({ errors: [{ code: "twice" }] });
  await expectSimilarCost(
    () => read(twice).catch(() => undefined),
    () => read(json(names)),
    { ratio: 2, noiseMs: 10 },
  );
});

test.each([
  ["application/json", json(names), json(names.slice(names.length / 2))],
  ["application/json", `{"a":"${times("\\\\", bodyLength)}"}`, `{"a":"${"x".repeat(bodyLength)}"}`],
  ["application/json", `{"a":1${times(" ", bodyLength)}}`, `{"a":"${"x".repeat(bodyLength)}"}`],
  ["application/json", `{"a":"b"${times(" ", bodyLength)}}`, `{"a":"${"x".repeat(bodyLength)}"}`],
  ["application/x-www-form-urlencoded", `${names.join("=&")}=`, `${names.slice(names.length / 2).join("=&")}=`],
  ["application/x-www-form-urlencoded", `Email=${times("a.", bodyLength)}`, `Email=${"x".repeat(bodyLength)}`],
  ["application/x-www-form-urlencoded", `Email=a@${times("a.", bodyLength)}`, `Email=${"x".repeat(bodyLength)}`],
  ["application/x-www-form-urlencoded", `Email=${times("+", bodyLength)}x`, `Email=${"x".repeat(bodyLength)}`],
])("a hostile body of the type %s costs no more than a harmless one: %#", async (type, hostile, harmless) => {
  await expectSimilarCost(send(type, hostile), send(type, harmless));
});

test.each(["1", "1/", " ", "+", "(", "x1", "0 "])(
  "a registration whose fields are made of %j costs no more than a harmless one",
  async (part) => {
    const register = (text: string) => () =>
      fetch("/authenticate/register", {
        method: "POST",
        body: new URLSearchParams(
          Object.fromEntries(
            ["Email", "Firstname", "Lastname", "Birthday", "MobilePhone", "Civility", "CountryIsoCode"].map((name) => [
              name,
              text,
            ]),
          ),
        ),
        headers: { "sec-fetch-site": "same-origin" },
      });
    const length = bodyLength / 21;
    await expectSimilarCost(register(`${times(part, length)}!`), register("x".repeat(length)));
  },
);
