import { createWriteStream, existsSync, mkdtempSync, readdirSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { expect, test } from "vitest";
import { unpacked } from "./unpack.server.ts";

async function archive(entries: [name: string, content: string | Buffer][]): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), "archive-")), "package.tar.gz");
  const tar = pack();
  const written = pipeline(tar, createGzip(), createWriteStream(path));
  for (const [name, content] of entries) tar.entry({ name }, content);
  tar.finalize();
  await written;
  return path;
}

test("an archive is unpacked for the work alone, also with a folder in it", async () => {
  const path = await archive([
    ["club/manifest.json", "{}"],
    ["club/members.csv", "SourceId"],
  ]);
  let folder = "";
  const names = await unpacked(path, async (unpackedTo) => {
    folder = unpackedTo;
    return readdirSync(unpackedTo).sort();
  });
  expect(names).toEqual(["manifest.json", "members.csv"]);
  expect(existsSync(folder)).toBe(false);
});

test.each<[string, [string, string | Buffer][], string]>([
  ["a path outside the archive", [["../../members.csv", "x"]], "no file of a package"],
  ["an absolute path", [["/etc/members.csv", "x"]], "no file of a package"],
  ["a file of another kind", [["run.sh", "x"]], "no file of a package"],
  ["an archive that unpacks to very much", [["members.csv", Buffer.alloc(8_000_000)]], "200 times"],
])("%s is refused with one sentence", async (_name, entries, sentence) => {
  const path = await archive(entries);
  await expect(unpacked(path, async () => {})).rejects.toThrow(sentence);
});

test("an archive that is cut off is refused", async () => {
  const path = await archive([["members.csv", Buffer.from(Array.from({ length: 50_000 }, (_, index) => index % 251))]]);
  truncateSync(path, Math.floor(statSync(path).size / 2));
  await expect(unpacked(path, async () => {})).rejects.toThrow("its end is missing");
});
