import { once } from "node:events";
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import pg from "pg";
import { createProcesses, portOf, postmasterOf } from "../support/processes.ts";

const { folder, dataFolder, start, clear } = createProcesses();
test.afterAll(clear);

const ready = (port: number) => fetch(`http://localhost:${port}/readyz`).then((response) => response.status);
/** A machine busy with other work starts processes slowly. */
const soon = { timeout: 60_000 };

// Of which settings, the unit tests of the settings tell.
test("deployed without a mail server, the start is refused with one line that says how the sandbox is turned on", async () => {
  const DATABASE_URL = "postgresql://db.invalid/cercle";
  const { ended, words } = await start({ NODE_ENV: "production", TRUST_PROXY: "on", WORKERS: "2", DATABASE_URL });
  expect(await ended).toBe(1);
  expect(words().trim().split("\n")).toHaveLength(1);
  expect(words()).toMatch(/SMTP_URL is missing.*SANDBOX=on/);
});

test("a folder that cannot be written stops the start with one line that names it", async () => {
  const made = folder();
  writeFileSync(join(made, "file"), "");
  const { ended, words } = await start({ DATA_DIR: join(made, "file", "data") });
  expect(await ended).toBe(1);
  expect(words().trim().split("\n")).toHaveLength(1);
  expect(words()).toContain(join(made, "file", "data"));
});

test("a start before its database waits for it and says so; a reload ends nothing; only with a collector are there spans", async () => {
  let received = "";
  const collector = createServer((request, response) => {
    request.on("data", (chunk) => {
      received += chunk;
    });
    request.on("end", () => response.end("{}"));
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  const DATA_DIR = await dataFolder();
  const socket = encodeURIComponent(join(DATA_DIR, "socket"));
  const traced = folder();
  const untraced = folder();
  // Node writes down which files it has run.
  const waited = await start(
    {
      DATABASE_URL: `postgresql://cercle@localhost/cercle?host=${socket}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      ...{ SANDBOX: "on", PORT: String(portOf(30)), NODE_V8_COVERAGE: traced },
    },
    undefined,
    "The database is not available",
  );
  const owner = await start({ DATA_DIR, PORT: String(portOf(35)), NODE_V8_COVERAGE: untraced });
  await expect.poll(waited.words, soon).toContain("Cercle is open");
  waited.child.kill("SIGHUP");
  await expect.poll(waited.words, soon).toContain("WORKERS is 1");
  for (const port of [portOf(30), portOf(35)]) expect(await ready(port)).toBe(200);
  for (const { child, ended } of [waited, owner]) {
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  }
  collector.close();
  expect(received).toContain('"stringValue":"select 1"');
  for (const written of [traced, untraced]) {
    const files = readdirSync(written).map((file) => readFileSync(join(written, file), "utf8"));
    expect(files.join()).toContain("dist/server/assets/serve");
    expect(files.join().includes("tracing-sdk")).toBe(written === traced);
  }
});

test("one product through its mishaps: a second process, a database process killed, the database killed, the product killed", async () => {
  const DATA_DIR = await dataFolder();
  const port = portOf(13);
  const site = `http://localhost:${port}`;
  const first = await start({ DATA_DIR, PORT: String(port) });
  expect(first.words()).toContain(`Cercle is open: ${site} (sandbox on)`);
  const Email = "reste@exemple.fr";
  const body = new URLSearchParams({
    Email,
    Password: "Secret-2026",
    Firstname: "Eve",
    Lastname: "Reste",
    Birthday: "1990-04-24",
  });
  expect((await fetch(`${site}/api/customer`, { method: "POST", body })).status).toBe(200);

  await test.step("one process of its database killed, it works again by itself", async () => {
    const client = new pg.Client({ connectionString: postmasterOf(DATA_DIR).url });
    client.on("error", () => {});
    await client.connect();
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    process.kill(rows[0]?.pid ?? 0, "SIGKILL");
    await expect
      .poll(() =>
        client.query("select 1").then(
          () => "open",
          () => "cut",
        ),
      )
      .toBe("cut");
    await expect.poll(() => ready(port), soon).toBe(200);
  });

  await test.step("its data is still its own: a second process is refused with a clear line", async () => {
    const second = await start({ DATA_DIR, PORT: String(portOf(12)) });
    expect(await second.ended).toBe(1);
    expect(second.words()).toContain("Another process is already running");
    expect(await ready(port)).toBe(200);
  });

  await test.step("its database killed, it answers 503 with Retry-After, then works again by itself", async () => {
    const { pid } = postmasterOf(DATA_DIR);
    process.kill(pid, "SIGKILL");
    const away = await fetch(`${site}/api/loyalty/programme`);
    if (away.status !== 200) {
      expect(away.status).toBe(503);
      expect(Number(away.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await away.json()).toMatchObject({ code: "unavailable" });
    }
    await expect(async () => {
      // What a connection was still asked may be answered for a moment without it.
      expect(postmasterOf(DATA_DIR).pid).not.toBe(pid);
      expect(await ready(port)).toBe(200);
      expect((await fetch(`${site}/api/loyalty/programme`)).status).toBe(200);
    }).toPass(soon);
  });

  const last =
    await test.step("killed outright, it leaves its database behind; the next start takes over and nothing is lost", async () => {
      const orphan = postmasterOf(DATA_DIR).pid;
      first.child.kill("SIGKILL");
      await first.ended;
      expect(() => process.kill(orphan, 0)).not.toThrow();
      const log = join(DATA_DIR, "postgres.log");
      appendFileSync(log, "what the first one said\n");

      const next = await start({ DATA_DIR, PORT: String(port) });
      expect(next.words()).toContain("Cercle is open");
      expect(readFileSync(log, "utf8")).toContain("what the first one said");
      const asked = new URLSearchParams({ Email });
      const answer = await fetch(`${site}/api/customer/email/available`, { method: "POST", body: asked });
      expect(await answer.json()).toEqual({ Available: false });
      return next;
    });

  await test.step("connections that send 1 300 requests ahead and read nothing hardly grow it", async () => {
    // Only Linux tells a process's memory in a file.
    if (process.platform === "linux") await expectSteadyMemory(last.child.pid, port);
    last.child.kill("SIGTERM");
    expect(await last.ended).toBe(0);
  });
});

for (const [script, port] of [
  ["start", portOf(18)],
  ["demo", portOf(19)],
] as const)
  test(`SIGTERM to npm itself ends npm run ${script}, its node and its database`, async () => {
    const DATA_DIR = await dataFolder();
    const npm = await start({ DATA_DIR, PORT: String(port) }, ["npm", "run", script]);
    // The script's own NODE_ENV does not turn the sandbox off.
    expect(npm.words()).toMatch(/Cercle is open: .*\(sandbox on\)/);
    const { pid } = postmasterOf(DATA_DIR);
    expect(await ready(port)).toBe(200);
    npm.child.kill("SIGTERM");
    await npm.ended;
    await expect.poll(() => ready(port).catch(() => "gone"), soon).toBe("gone");
    await expect.poll(() => isRunning(pid), soon).toBe(false);
  });

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The memory a process holds, in MB, as Linux tells it. */
const memoryOf = (pid: number | undefined) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;

/** Connections that send up to 1 300 requests ahead and read nothing hardly grow the process. */
async function expectSteadyMemory(pid: number | undefined, port: number): Promise<void> {
  const grownBy = async (path: string, requests: number, connections: number) => {
    const before = memoryOf(pid);
    const clients = Array.from({ length: connections }, () => {
      const client = connect(port, "127.0.0.1").pause();
      // The product closes some of them.
      client.on("error", () => {});
      client.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(requests));
      return client;
    });
    // Others are answered meanwhile; when they have been, all that would be held is held.
    for (let n = 0; n < 25; n += 1) expect(await ready(port)).toBe(200);
    const after = memoryOf(pid);
    for (const client of clients) client.destroy();
    return after - before;
  };
  for (const path of ["/api/openapi.json", "/loyalty"]) {
    const harmless = await grownBy(path, 1, 3);
    expect(await grownBy(path, 1_300, 3)).toBeLessThan(harmless + 60);
  }
  expect(await grownBy("/api/openapi.json", 30, 40)).toBeLessThan((await grownBy("/api/openapi.json", 1, 3)) + 60);
}
