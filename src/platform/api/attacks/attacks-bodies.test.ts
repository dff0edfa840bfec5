import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Writable } from "node:stream";
import { gzipSync } from "node:zlib";
import pino from "pino";
import { afterAll, afterEach, expect, test } from "vitest";
import { createListener } from "#app/process/listener.server.ts";
import { textsOf } from "#brand/texts.server.ts";
import { enter, freshEmail, registrationForm } from "#testing/people.server.ts";
import { startProcessorTimer } from "#testing/processor-timer.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const faults: string[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    faults.push(String(chunk));
    done();
  },
});
const { call, fetch, product, database } = await openTestProduct({}, { log: pino({ level: "error" }, sink) });
/** An attack must not log an error. */
afterEach(() => expect(faults.splice(0)).toEqual([]));

const urlencoded = "application/x-www-form-urlencoded";
const targets = ["/api/customer/email/available", "/authenticate/login"];
const post = (path: string, body: RequestInit["body"], headers: Record<string, string> = {}) =>
  fetch(path, { method: "POST", body: body ?? null, headers: { "sec-fetch-site": "same-origin", ...headers } });

test.each([
  ["a form", urlencoded, "Email=a%40b.fr&Email=c%40d.fr"],
  ["JSON", "application/json", '{"Email": "a@b.fr", "E\\u006dail": "c@d.fr"}'],
  ["JSON whose values look like names", "application/json", '{"x": "\\":", "Email" : "a@b.fr", "Email":"c@d.fr"}'],
])("a field sent twice in %s is refused", async (_, type, body) => {
  const response = await post("/api/customer/email/available", body, { "content-type": type });
  expect(response.status).toBe(400);
  expect((await response.json()).errors).toMatchObject([{ field: "Email", code: "twice" }]);
});

test("a field sent twice in a multipart form, or in a query, is refused", async () => {
  const form = new FormData();
  for (const email of ["a@b.fr", "c@d.fr"]) form.append("Email", email);
  expect((await post("/api/customer/email/available", form)).status).toBe(400);
  const query = await fetch("/api/loyalty/programme?IdLoyaltyProgram=4&IdLoyaltyProgram=5");
  expect((await query.json()).errors).toMatchObject([{ field: "IdLoyaltyProgram", code: "twice" }]);
  const spelled = await fetch("/api/loyalty/programme?currency=EUR&CurrencyIsoCode=USD");
  expect((await spelled.json()).errors).toMatchObject([{ field: "CurrencyIsoCode", code: "twice" }]);
});

test.each(targets)("10 MB sent to %s are refused without being read to the end", async (path) => {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(new Uint8Array(64 * 1024).fill(97));
      if (sent === 160) controller.close();
    },
  });
  const init = { method: "POST", body, duplex: "half", headers: { "content-type": urlencoded } };
  const response = await fetch(path, { ...init, headers: { ...init.headers, "sec-fetch-site": "same-origin" } });
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ code: "too_large", detail: "La demande est trop volumineuse." });
  expect(sent).toBeLessThan(10);
});

test.each(targets)("10 000 fields sent to %s are handled within the time limit", async (path) => {
  const body = Array.from({ length: 10_000 }, (_, n) => `${n.toString(36)}=1`).join("&");
  const taken = startProcessorTimer();
  const response = await post(path, body, { "content-type": urlencoded });
  expect([400, 401, 413]).toContain(response.status);
  expect(taken()).toBeLessThan(5_000);
});

test.each(targets)("a compressed body sent to %s is refused, not decompressed", async (path) => {
  const bomb = gzipSync(Buffer.alloc(10_000_000, 97));
  expect(bomb.length).toBeLessThan(64 * 1024);
  const response = await post(path, bomb, { "content-type": urlencoded, "content-encoding": "gzip" });
  expect(response.status).toBe(415);
});

test.each([
  ["text/plain", "Email=a@b.fr"],
  ["", "Email=a@b.fr"],
  ["multipart/form-data", "no boundary"],
  ["multipart/form-data; boundary=x", "--x\r\nnonsense"],
])("a page's form with the content type '%s' is refused with 4xx", async (type, body) => {
  const response = await post("/authenticate/login", Buffer.from(body), type ? { "content-type": type } : {});
  expect([400, 415]).toContain(response.status);
});

test("an empty page form gets the refusals of its missing fields", async () => {
  const response = await post("/authenticate/login", undefined);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("Champ requis");
});

test("a file where text is expected is refused", async () => {
  const form = new FormData();
  form.append("Email", new Blob(["a@b.fr"]), "email.txt");
  const response = await post("/api/customer/email/available", form);
  expect((await response.json()).errors).toMatchObject([{ field: "Email", code: "file" }]);
});

test.each([
  ["application/json", '{"__proto__": "x", "constructor": "y", "Email": "EMAIL"}', 200],
  ["application/json", '{"__proto__": {"Email": "x"}, "Email": "EMAIL"}', 400],
  [urlencoded, "__proto__=x&constructor=y&toString=z&Email=EMAIL", 200],
  [urlencoded, "__proto__[Email]=x&Email=EMAIL", 400],
])("__proto__ in %s is an ordinary field name: %s", async (type, body, status) => {
  const email = freshEmail();
  const response = await post("/api/customer/email/available", body.replace("EMAIL", email), { "content-type": type });
  expect(response.status).toBe(status);
  expect(({} as Record<string, unknown>)["Email"]).toBeUndefined();
  expect("x" in Object.prototype).toBe(false);
});

const ids = ["0", "-1", "4.0", "NaN", "9223372036854775808", "1e9", "0x4", "４", "4 ", "4\u2028"];
const takers = product.contracts.flatMap((contract) =>
  Object.entries(contract).flatMap(([line, { input, access }]) => {
    // Those of a till and of the back office need their cookies: src/till/sign-in/access.test.ts, src/office/access.test.ts;
    // those of a shop its key, and name a customer by a public id: src/office/segments/segments.test.ts.
    if (access === "till" || access === "till staff" || access === "staff" || access === "key") return [];
    // Every input of the API is an object; its shape names the fields.
    return Object.keys((input as unknown as { shape: object }).shape)
      .filter((field) => /^Id(?!Token)|^id$/.test(field))
      .map((field) => [line, field] as const);
  }),
);

async function sendId(line: string, field: string, id: string, token: string): Promise<Response> {
  const [method = "", pattern = ""] = line.split(" ");
  const path = `/api/${pattern.replace(/\{\w+\}/, encodeURIComponent(id))}`;
  const query = new URLSearchParams(pattern.includes("{") ? {} : { [field]: id });
  const headers = { authorization: `Bearer ${token}` };
  return method === "GET" ? fetch(`${path}?${query}`, { headers }) : fetch(path, { method, body: query, headers });
}

test.each(takers)("%s refuses a malformed %s", async (line, field) => {
  const { Token } = await enter(call);
  for (const id of ids.filter((one) => !(line.includes("{") && /\s/.test(one)))) {
    const response = await sendId(line, field, id, Token);
    expect(response.status, `${line} ${field}=${id}`).toBe(400);
    expect((await response.json()).errors, id).toContainEqual(expect.objectContaining({ field, code: "invalid" }));
  }
});

test.each(takers)("%s refuses a %s that is larger than any there is, without a fault", async (line, field) => {
  for (const id of ["2147483648", "9007199254740991"]) {
    const { Token } = await enter(call);
    expect([400, 401, 403, 404, 409]).toContain((await sendId(line, field, id, Token)).status);
  }
});

test("there are calls that take an id", () => expect(takers.length).toBeGreaterThan(10));

const server = createListener(product.fetch, { requestMs: 400 });
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

/** Opens a real connection, sends some bytes and reads the response to its end. */
function say(words: string) {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  let heard = "";
  socket.on("data", (chunk) => {
    heard += chunk;
  });
  // The server is expected to reset the connection.
  socket.on("error", () => {});
  socket.write(words);
  return { socket, ended: once(socket, "close").then(() => heard) };
}

test("a body that comes too slowly gets 408 and is disconnected, and others are not delayed", async () => {
  const path = "POST /api/customer/email/available HTTP/1.1\r\nhost: localhost\r\n";
  const slow = Array.from({ length: 20 }, () =>
    say(`${path}content-type: ${urlencoded}\r\ncontent-length: 1000\r\n\r\nEmail=`),
  );
  const dribble = setInterval(() => {
    for (const { socket } of slow) if (socket.writable) socket.write("a");
  }, 50);
  const silent = say("POST /api/customer HTTP/1.1\r\nhost: loc");
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => globalThis.fetch(`http://127.0.0.1:${port}/api/loyalty/programme`)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  for (const { ended } of [...slow, silent]) expect(await ended).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(dribble);
  expect((await globalThis.fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
});

test("what never becomes a request is refused as every other is: problem+json with the usual headers", async () => {
  const late =
    "POST /api/customer HTTP/1.1\r\nhost: localhost\r\naccept-language: de\r\ncontent-length: 9\r\n\r\nEmail";
  const long = `GET /api/customer HTTP/1.1\r\nhost: localhost\r\nx: ${"a".repeat(20_000)}\r\n\r\n`;
  for (const [words, status, code, locale] of [
    [late, 408, "too_slow", "de"],
    ["POST /api/customer HTTP/1.1\r\nhost: loc", 408, "too_slow", "fr"],
    [long, 413, "too_large", "fr"],
    ["no request at all\r\n\r\n", 400, "invalid", "fr"],
  ] as const) {
    const [head = "", body = ""] = (await say(words).ended).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain("\r\ncontent-type: application/problem+json");
    expect(head.toLowerCase()).toContain("\r\nx-content-type-options: nosniff");
    expect(head.toLowerCase()).toContain(`\r\ncontent-language: ${locale}`);
    expect(head.toLowerCase()).toContain("\r\nconnection: close");
    const detail = textsOf[locale].t(`refusal.${code}`);
    expect(JSON.parse(body)).toMatchObject({ status, code, detail, instance: expect.any(String) });
  }
});

test.each(targets)(
  "a body too large for %s is refused, and the connection it comes on says that it ends",
  async (path) => {
    const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\nsec-fetch-site: same-origin\r\ncontent-type: ${urlencoded}\r\n`;
    const { socket, ended } = say(`${head}content-length: 10000000\r\n\r\n${"a".repeat(70_000)}`);
    const goesOn = () => socket.writable && socket.write("a".repeat(70_000));
    socket.on("drain", goesOn);
    goesOn();
    const heard = await ended;
    expect(heard).toMatch(/^HTTP\/1\.1 413 /);
    expect(heard.toLowerCase()).toContain("\r\nconnection: close\r\n");
    expect(heard).toContain("too_large");
  },
);

test("refused requests have written nothing", async () => {
  await enter(call, registrationForm());
  const { rows } = await database.$client.query("select 1 from customer where email like 'a@%' or email like 'c@%'");
  expect(rows).toEqual([]);
});
