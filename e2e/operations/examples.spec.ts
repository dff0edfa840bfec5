import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { expect, test } from "../support/browser.ts";
import { joinAs, obtainVoucher } from "../support/member.ts";
import { operator } from "../support/processes.ts";

const run = promisify(execFile);

// In one worker: the package is packed once.
test.describe.configure({ mode: "default" });

/** A project of a partner's: the examples, and the package as it is packed and installed. */
let project = "";
/** A shop of the partner's in Lyon, and the key of its till. */
let lyon = { shop: "", key: "" };
test.beforeAll(async () => {
  const shop = operator("add", `Partner ${randomBytes(3).toString("hex")}`, "Lyon");
  lyon = { shop, key: operator("key", shop, "Till 1", "identify,sell") };
  project = mkdtempSync(join(tmpdir(), "cercle-partner-"));
  cpSync("examples/till-client", project, { recursive: true });
  const { stdout } = await run("npm", ["pack", "./packages/client", "--pack-destination", project, "--json"]);
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf("[")));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${filename}`], { cwd: project });
});
test.afterAll(() => rmSync(project, { recursive: true }));

/** Hands every call on to the product, and loses the answer. */
async function createLossyNetwork(product: string) {
  const server = createServer(async (incoming, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { authorization = "", "content-type": type = "" } = incoming.headers;
    const headers = { authorization, "content-type": type };
    await fetch(`${product}${incoming.url}`, { method: "POST", headers, body: Buffer.concat(chunks).toString() });
    answer.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

test("the web shop and the till of the guide run with the package as it is installed", async ({
  context: customer,
  baseURL,
}) => {
  const guide = readFileSync("docs/shop-integration.md", "utf8");
  const [shop = "", till = ""] = [...guide.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, program = ""]) => program);
  for (const program of [shop, till]) expect(program.trim().split("\n").length).toBeLessThanOrEqual(21);
  const { number } = await joinAs(customer, { firstname: "Ada" });
  await obtainVoucher(customer);
  const webShop = operator("add", `Partner ${randomBytes(3).toString("hex")}`, "Paris", "web");
  const webKey = operator("key", webShop, "Key", "identify,sell,return", "--api", "2");
  const start = async (file: string, program: string, key: string, ...words: string[]) => {
    writeFileSync(join(project, file), program);
    const env = { ...process.env, FORCE_COLOR: "0", CERCLE_URL: baseURL ?? "", CERCLE_KEY: key };
    return (await run(process.execPath, [file, ...words], { cwd: project, env })).stdout;
  };
  const sold = await start("shop.mjs", shop, webKey, "#1001", number);
  expect(sold).toContain("Earn 89 points");
  expect(sold).toMatch(/purchase done \{[^}]*Earned: 89/s);
  expect(sold).toMatch(/return done \{[^}]*Taken: 30/s);
  const rungUp = await start("sale.mjs", till, lyon.key, number);
  expect(rungUp).toContain("Ada L., 0 points");
  expect(rungUp).toMatch(/done \[ \{ Line: '1', Paid: '50.00', VoucherShare: '10.00' \} \]/);
});

test("the example of a till sells, gives back, waits for the network and closes the day", async ({
  context: customer,
  baseURL,
}) => {
  const product = baseURL ?? "";
  const { number } = await joinAs(customer, { firstname: "Ada" });
  const voucher = await obtainVoucher(customer);
  const shop = operator("add", `Partner ${randomBytes(3).toString("hex")}`, "Paris");
  const key = operator("key", shop, "Till 1", "identify,sell,return,report");
  const folder = mkdtempSync(join(tmpdir(), "cercle-example-"));
  const till = async (words: string, url = product) => {
    const zone = { CLUB_TIME_ZONE: "Europe/Paris" };
    const env = { ...process.env, CERCLE_URL: url, CERCLE_KEY: key, TILL_NAME: "T1", TILL_DIR: folder, ...zone };
    return (await run(process.execPath, ["till.mjs", ...words.split(" ")], { cwd: project, env })).stdout;
  };

  const sold = await till(`sell --card ${number} --line 89.90 --line 39.95 --other 50.00 --voucher ${voucher}`);
  expect(sold).toContain("To pay: 169.85");
  expect(sold).toMatch(/Points: \+119 on \d{4}-\d\d-\d\d -0, now 0, 119 pending/);
  expect(await till("sell --line 24.00")).toContain(`${product}/r/`);
  expect(await till("return --of T1-000001 --line 2")).toContain("line 2  -36.87");

  // The receipt of another shop, with proof.
  const authorization = `Bearer ${lyon.key}`;
  const SentAt = new Date().toISOString();
  const form = { ReceiptNumber: "L-1", SoldAt: SentAt, SentAt, CardNumber: number, Amount: "30.00" };
  await customer.request.post("/api/shop/purchase", { form, headers: { authorization } });
  expect(await till(`return --of L-1 --shop ${lyon.shop} --paid 30.00`)).toContain("line 1  -30.00");

  const lossy = await createLossyNetwork(product);
  expect(await till(`sell --card ${number} --line 19.90`, lossy.url)).toContain("Kept here");
  lossy.close();
  expect(await till("return --of T1-000005", "http://127.0.0.1:9")).toContain("Kept here");
  const sent = await till("send");
  expect(sent).toMatch(/Points: \+19 on \d{4}-\d\d-\d\d -0/);
  expect(sent).toContain("line 1  -19.90");
  expect(sent).toContain("Nothing is queued.");

  await till(`sell --card ${number} --line 5.00`);
  expect(await till("void --of T1-000007")).toContain("line 1  -5.00");
  expect(await till("close")).toContain("no differences");
  rmSync(folder, { recursive: true });
});

test("the example of a receiver takes signed events once, and refuses others", async () => {
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const env = { ...process.env, CERCLE_WEBHOOK_SECRETS: secret };
  const receiver = spawn(process.execPath, ["webhooks.mjs", "0"], { cwd: project, env });
  let printed = "";
  receiver.stdout.on("data", (words) => {
    printed += words;
  });
  await expect.poll(() => printed).toMatch(/Listening on \d+/);
  const url = `http://localhost:${printed.match(/\d+/)?.[0]}`;
  const body = JSON.stringify({ type: "purchase.posted", data: { ReceiptNumber: "T1-000001" } });
  const post = async (signedAt: Date, signed = body) => {
    const headers = {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(signedAt.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign("evt_1", signedAt, signed),
    };
    return (await fetch(url, { method: "POST", headers, body })).status;
  };

  expect(await post(new Date(), "other words")).toBe(401);
  expect(await post(new Date(Date.now() - 6 * 60_000))).toBe(401);
  expect(await post(new Date())).toBe(204);
  expect(await post(new Date())).toBe(204);
  await expect.poll(() => printed).toContain("T1-000001");
  expect(printed.match(/purchase\.posted/g)).toHaveLength(1);
  receiver.kill();
});
