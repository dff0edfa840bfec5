import { randomBytes } from "node:crypto";
import pg from "pg";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { operatorLine } from "#app/process/operator-line.server.ts";
import { serve } from "#app/process/serve.ts";
import { templateDatabase } from "#testing/cluster.server.ts";
import { withEmptyDatabase } from "#testing/database.server.ts";
import { ExportRefused } from "#warehouse/export.server.ts";
import { CommandRefused, runCommand, waitForDatabase } from "./command.server.ts";

const clusterUrl = inject("clusterUrl");

test("a command started while the app is creating its database waits for it", async () => {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const waiting = waitForDatabase(clusterUrl.replace(templateDatabase, name));
  const admin = new pg.Client({ connectionString: clusterUrl.replace(templateDatabase, "postgres") });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await waiting;
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});

test("a folder into which nothing can be exported is refused in one line", () => {
  expect(operatorLine(new ExportRefused("Export into an empty folder."))).toBe("Export into an empty folder.");
});

test("a database that does not exist is refused in one line", async () => {
  const nowhere = clusterUrl.replace(templateDatabase, "nowhere");
  await expect(waitForDatabase(nowhere, 200)).rejects.toThrow(CommandRefused);
});

test("the app and a command that find a changed migration print one line that names it, and end with 1", async () => {
  await withEmptyDatabase(async ({ url, connect }) => {
    const client = await connect();
    await client.query("create table migration (name text primary key, applied_at timestamptz, checksum text)");
    await client.query("insert into migration (name, checksum) values ('0001_baseline', 'another')");
    onTestFinished(() => {
      process.exitCode = undefined;
      vi.restoreAllMocks();
      vi.unstubAllEnvs();
    });
    const DATABASE_URL = url.replace("@/", "@localhost/");
    for (const [name, value] of Object.entries({ DATABASE_URL, SANDBOX: "on", LOG_LEVEL: "silent" }))
      vi.stubEnv(name, value);
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    vi.spyOn(process, "exit").mockImplementation((code) => {
      process.exitCode = code ?? 0;
      return undefined as never;
    });
    for (const start of [() => serve("dist/client"), () => runCommand(async () => {})]) {
      printed.mockClear();
      process.exitCode = 0;
      await start();
      expect(printed.mock.calls).toEqual([[expect.stringMatching(/^.*0001_baseline.*$/)]]);
      expect(process.exitCode).toBe(1);
    }
  });
});
