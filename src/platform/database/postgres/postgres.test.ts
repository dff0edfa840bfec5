import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { NothingRunning, urlOfRunning } from "./postgres.server.ts";

test("a command beside a running app finds its database through the data folder", async () => {
  const clusterUrl = inject("clusterUrl");
  const socketDir = new URL(clusterUrl.replace("@/", "@localhost/")).searchParams.get("host") ?? "";
  const client = new pg.Client({ connectionString: await urlOfRunning(dirname(socketDir), "postgres") });
  await client.connect();
  const { rows } = await client.query("select current_database() as name");
  await client.end();
  expect(rows).toEqual([{ name: "postgres" }]);
});

test("where no app is running, the refusal is one line that names the folder", async () => {
  const nowhere = join(tmpdir(), "cercle-nowhere");
  await expect(urlOfRunning(nowhere)).rejects.toThrow(NothingRunning);
  await expect(urlOfRunning(nowhere)).rejects.toThrow(
    `Nothing is running on ${nowhere}: start it first, or set DATA_DIR or DATABASE_URL.`,
  );
});
