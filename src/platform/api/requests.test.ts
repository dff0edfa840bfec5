import { sql } from "drizzle-orm";
import { expect, inject, test, vi } from "vitest";
import { openDatabase } from "#platform/database/database.server.ts";
import type { Log } from "#platform/log.server.ts";
import { refusalOf } from "./requests.server.ts";

test("a statement that takes too long is told as unavailable, and logged as a fault", async () => {
  const database = openDatabase(inject("clusterUrl").replace("cercle_template", "postgres"), { connections: 1 });
  const slow = database.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 20`);
    await tx.execute(sql`select pg_sleep(5)`);
  });
  const thrown = await slow.catch((error: unknown) => error);
  const error = vi.fn();
  expect(refusalOf(thrown, { error } as unknown as Log, "r1")).toMatchObject({ code: "unavailable", status: 503 });
  expect(error).toHaveBeenCalledWith(expect.objectContaining({ errorCode: "57014" }), "fault");
  await database.$client.end();
});
