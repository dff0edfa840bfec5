import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSettings } from "#app/settings.server.ts";
import { createSecrets } from "./secrets.server.ts";

test("without the setting the key is a file of the owner alone, made once", () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), "cercle-")), "var");
  const settings = { dataDir, sandbox: true, webhookKey: undefined };
  const sealed = createSecrets(settings).seal("whsec_x");
  expect(createSecrets(settings).open(sealed)).toBe("whsec_x");
  expect(readdirSync(dataDir)).toEqual(["webhook.key"]);
  expect(statSync(join(dataDir, "webhook.key")).mode & 0o777).toBe(0o600);
  rmSync(dataDir, { recursive: true });
});

test("a key of another length is refused in one line", () => {
  for (const WEBHOOK_KEY of ["x", "c2hvcnQ=", Buffer.alloc(33).toString("base64")])
    expect(() => readSettings({ WEBHOOK_KEY })).toThrow("The setting WEBHOOK_KEY cannot be used: it must be 32 bytes");
});
