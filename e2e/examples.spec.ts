import { execFile, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { expect, test } from "./browser.ts";
import { joinAs, obtainVoucher } from "./member.ts";

const run = promisify(execFile);

/** The last line of an operator's command: the id or the key that it made. */
function operator(...words: string[]): string {
  const env = { ...process.env, DATA_DIR: process.env["E2E_DATA_DIR"] };
  const printed = execFileSync(process.execPath, ["dist/server/shop.js", ...words], { env, encoding: "utf8" });
  return printed.trim().split("\n").at(-1) ?? "";
}

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

test("the example of a till sells, gives back, waits for the network and closes the day", async ({ page, baseURL }) => {
  const product = baseURL ?? "";
  const { number } = await joinAs(page, { firstname: "Ada" });
  const voucher = await obtainVoucher(page);
  const shop = operator("add", `Partner ${randomBytes(3).toString("hex")}`, "Paris");
  const key = operator("key", shop, "Till 1", "identify,sell,return,report");
  const folder = mkdtempSync(join(tmpdir(), "cercle-example-"));
  const till = async (words: string, url = product) => {
    const env = { ...process.env, CERCLE_URL: url, CERCLE_KEY: key, TILL_NAME: "T1", TILL_DIR: folder };
    return (await run(process.execPath, ["examples/till-client/till.mjs", ...words.split(" ")], { env })).stdout;
  };

  const sold = await till(`sell --card ${number} --line 89.90 --line 39.95 --other 50.00 --voucher ${voucher}`);
  expect(sold).toContain("To pay: 169.85");
  expect(sold).toContain("Points: +119 -0, now 119");
  expect(await till("sell --line 24.00")).toContain(`${product}/r/`);
  expect(await till("return --of T1-000001 --line 2")).toContain("line 2  -36.87");

  const lossy = await createLossyNetwork(product);
  expect(await till(`sell --card ${number} --line 19.90`, lossy.url)).toContain("Kept here");
  lossy.close();
  expect(await till("return --of T1-000004", "http://127.0.0.1:9")).toContain("Kept here");
  const sent = await till("send");
  expect(sent).toContain("Points: +19 -0");
  expect(sent).toContain("line 1  -19.90");
  expect(sent).toContain("Nothing is queued.");

  await till(`sell --card ${number} --line 5.00`);
  expect(await till("void --of T1-000006")).toContain("line 1  -5.00");
  expect(await till("close")).toContain("no differences");
  rmSync(folder, { recursive: true });
});

test("the example of a receiver takes signed events once, and refuses others", async () => {
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const env = { ...process.env, CERCLE_WEBHOOK_SECRETS: secret };
  const receiver = spawn(process.execPath, ["examples/till-client/webhooks.mjs", "0"], { env });
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
