import { expect, test } from "vitest";
import { csvResponse } from "./csv.server.ts";

async function* pagesOf(...pages: (string | number | null)[][][]) {
  yield* pages;
}
const list = { fileName: "list.csv", locale: "fr", columns: ["Name", "Points"], estimatedRows: 3 } as const;

test("a list is sent with a byte-order mark, quoted where needed, and says about how many rows come", async () => {
  const response = csvResponse({ ...list, pages: pagesOf([['Ada "A"; B', 12]], [["Zoë", null]]) });
  expect(response.headers.get("x-estimated-rows")).toBe("3");
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(new TextDecoder().decode(bytes)).toBe('Name;Points\r\n"Ada ""A""; B";12\r\nZoë;\r\n');
});

test("a cell that a spreadsheet would run is plain text; a negative number stays one", async () => {
  const cells = ["=1+1", "+33612345678", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1"];
  const text = await csvResponse({ ...list, pages: pagesOf([...cells.map((cell) => [cell, -5])]) }).text();
  const lines = text.split(/;-5\r\n/).slice(0, -1);
  expect(lines).toHaveLength(cells.length);
  for (const line of lines) expect(line.replace(/^.*Points\r\n/s, "")).toMatch(/^"?'/);
});

test("no page is read before the one before it was taken, and none after the client has gone", async () => {
  let read = 0;
  let ended = false;
  async function* endless() {
    try {
      for (;;) {
        read += 1;
        yield [["x", read]];
      }
    } finally {
      ended = true;
    }
  }
  const reader = csvResponse({ ...list, pages: endless() }).body?.getReader();
  for (let n = 0; n < 4; n += 1) await reader?.read();
  expect(read).toBe(2);
  await reader?.cancel();
  expect({ read, ended }).toEqual({ read: 2, ended: true });
});

test("a page that cannot be read breaks the download off", async () => {
  async function* failing() {
    yield [["x", 1]];
    throw new Error("no database");
  }
  await expect(csvResponse({ ...list, pages: failing() }).text()).rejects.toThrow("no database");
});
