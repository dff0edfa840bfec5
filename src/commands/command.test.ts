import { randomBytes } from "node:crypto";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { templateDatabase } from "#testing/cluster.server.ts";
import { CommandRefused, databaseThere } from "./command.server.ts";

const clusterUrl = inject("clusterUrl");

test("a command that comes between an app's server and its database waits for the database", async () => {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const waiting = databaseThere(clusterUrl.replace(templateDatabase, name));
  const admin = new pg.Client({ connectionString: clusterUrl.replace(templateDatabase, "postgres") });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await waiting;
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});

test("a database that never comes is told in one line", async () => {
  const nowhere = clusterUrl.replace(templateDatabase, "nowhere");
  await expect(databaseThere(nowhere, 200)).rejects.toThrow(CommandRefused);
});
