import { expect, test } from "vitest";
import { readBody } from "./fields.server.ts";

test("a body of unknown length that is too large is left, not cancelled: with Node 24 that would end the process", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new Uint8Array(64 * 1024).fill(97));
    },
    cancel() {
      cancelled = true;
    },
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const init = { method: "POST", body, duplex: "half", headers };
  await expect(readBody(new Request("https://cercle.example", init))).rejects.toMatchObject({ code: "too_large" });
  expect(cancelled).toBe(false);
});
