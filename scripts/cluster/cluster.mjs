import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const names = ["one", "two", "three"];
const owner = Object.fromEntries(
  [
    ["uid", "-u"],
    ["gid", "-g"],
  ].map(([key, flag]) => [key, Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout)]),
);

/** Three nodes, three etcd, HAProxy, pgbouncer and two processes of the product, on ports from `base` on. */
export async function openCluster(base) {
  const home = mkdtempSync(join(tmpdir(), "cercle-cluster-"));
  chmodSync(home, 0o755);
  const running = new Map();
  const folder = (name) => {
    const made = join(home, name);
    mkdirSync(made, { mode: 0o700 });
    spawnSync("chown", [`${owner.uid}:${owner.gid}`, made]);
    return made;
  };
  /** In a group of its own, so that a kill reaches everything it started. */
  function launch(name, command, args, options = {}) {
    const child = spawn(command, args, { detached: true, stdio: "ignore", cwd: "/", ...options });
    running.set(name, child);
    return child;
  }
  const killGroup = (name, signal) => {
    try {
      process.kill(-running.get(name).pid, signal);
    } catch {
      // It has ended already.
    }
  };
  const fill = (file, values) => readFileSync(file, "utf8").replace(/\$\{(\w+)\}/g, (_, key) => values[key] ?? "");

  const etcds = names.map((name, n) => ({ name: `etcd-${name}`, client: base + 10 + n, peer: base + 20 + n }));
  const peers = etcds.map(({ name, peer }) => `${name}=http://127.0.0.1:${peer}`).join(",");
  for (const { name, client, peer } of etcds)
    launch(
      name,
      "/usr/bin/etcd",
      [
        ...["--name", name, "--data-dir", folder(name), "--initial-cluster", peers, "--initial-cluster-state", "new"],
        ...[
          "--listen-client-urls",
          `http://127.0.0.1:${client}`,
          "--advertise-client-urls",
          `http://127.0.0.1:${client}`,
        ],
        ...[
          "--listen-peer-urls",
          `http://127.0.0.1:${peer}`,
          "--initial-advertise-peer-urls",
          `http://127.0.0.1:${peer}`,
        ],
        // Three of them share one disk here.
        ...["--heartbeat-interval", "200", "--election-timeout", "2000", "--logger", "zap"],
      ],
      { ...owner, env: { ETCD_UNSUPPORTED_ARCH: process.arch === "arm64" ? "arm64" : "" } },
    );

  const nodes = names.map((name, n) => ({ name, port: base + 30 + n, rest: base + 40 + n, home: folder(name) }));
  const startNode = ({ name, port, rest, home: own }) => {
    const file = join(own, "patroni.yml");
    const values = {
      NAME: name,
      PORT: String(port),
      REST_PORT: String(rest),
      HOME: own,
      ETCD: etcds.map(({ client }) => `127.0.0.1:${client}`).join(","),
    };
    writeFileSync(file, fill("deploy/cluster/patroni.yml", values));
    launch(name, "/usr/bin/python3", ["/usr/bin/patroni", file], {
      ...owner,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" },
    });
  };
  for (const node of nodes) startNode(node);

  const statusOf = async ({ rest }) =>
    fetch(`http://127.0.0.1:${rest}/patroni`, { signal: AbortSignal.timeout(1_000) }).then(
      (response) => response.json(),
      () => undefined,
    );
  async function leader() {
    for (const node of nodes) {
      const status = await statusOf(node);
      if (status?.role === "master" || status?.role === "primary") return node;
    }
    return undefined;
  }
  async function until(what, check, timeoutMs = 120_000) {
    for (const giveUpAt = Date.now() + timeoutMs; Date.now() < giveUpAt; await sleep(200)) if (await check()) return;
    throw new Error(`${what} took too long; logs are in ${home}.`);
  }
  const replicates = async (name) => {
    const first = await leader();
    if (!first) return false;
    const { replication = [] } = (await statusOf(first)) ?? {};
    return replication.some(({ application_name, state }) => application_name === name && state === "streaming");
  };
  await until("the cluster", async () => {
    const first = await leader();
    if (!first) return false;
    const streaming = await Promise.all(nodes.filter((node) => node !== first).map(({ name }) => replicates(name)));
    const { replication = [] } = (await statusOf(first)) ?? {};
    return streaming.every(Boolean) && replication.some(({ sync_state }) => sync_state === "sync");
  });

  const [leaderPort, replicaPort, poolPort] = [base + 1, base + 2, base + 3];
  const servers = nodes
    .map(({ name, port, rest }) => `  server ${name} 127.0.0.1:${port} check port ${rest}`)
    .join("\n");
  writeFileSync(
    join(home, "haproxy.cfg"),
    fill("deploy/cluster/haproxy.cfg", {
      LEADER_PORT: String(leaderPort),
      REPLICA_PORT: String(replicaPort),
      LEADER_SERVERS: servers,
      REPLICA_SERVERS: servers,
    }),
  );
  launch("haproxy", "/usr/sbin/haproxy", ["-db", "-f", join(home, "haproxy.cfg")]);
  const pool = readFileSync("deploy/pgbouncer.ini", "utf8")
    .replace(/^cercle = .*$/m, `* = host=127.0.0.1 port=${leaderPort} user=postgres`)
    .replace(/^listen_port = .*$/m, `listen_port = ${poolPort}`)
    .replace(/^auth_type = .*$/m, "auth_type = any")
    .replace(/^auth_file = .*$/m, "");
  writeFileSync(join(home, "pgbouncer.ini"), pool);
  launch("pgbouncer", "/usr/sbin/pgbouncer", ["-q", join(home, "pgbouncer.ini")], owner);
  const admin = (port = leaderPort, database = "cercle") =>
    new pg.Client({ host: "127.0.0.1", port, user: "postgres", database });
  await until("HAProxy", async () => {
    const client = admin(leaderPort, "postgres");
    client.on("error", () => {});
    return client
      .connect()
      .then(() => client.query("create database cercle"))
      .then(
        () => true,
        (error) => error.code === "42P04",
      )
      .finally(() => client.end().catch(() => {}));
  });

  const sites = [base + 4, base + 5].map((port) => `http://127.0.0.1:${port}`);
  for (const [n, site] of sites.entries())
    launch(`app-${n}`, process.execPath, ["dist/server/start.js"], {
      cwd: process.cwd(),
      env: {
        ...{
          PATH: process.env.PATH,
          PORT: new URL(site).port,
          DATABASE_URL: `postgresql://cercle@127.0.0.1:${poolPort}/cercle`,
        },
        ...{ SANDBOX: "on", RATE_LIMITS: "off", LOG_LEVEL: "silent", DATA_DIR: join(home, `app-${n}`) },
      },
    });
  for (const site of sites)
    await until(site, () =>
      fetch(`${site}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );

  /** What an operator's command prints, as lines; a refusal is thrown. */
  function command(name, ...words) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [`dist/server/${name}.js`, ...words], {
      env: { PATH: process.env.PATH, DATABASE_URL: `postgresql://postgres@127.0.0.1:${leaderPort}/cercle` },
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${name} ${words.join(" ")}: ${stdout}${stderr}`);
    return stdout.trim().split("\n");
  }

  return {
    sites,
    leader,
    command,
    admin,
    /** Kills a node's PostgreSQL and its Patroni at once. */
    kill(name) {
      const { home: own } = nodes.find((node) => node.name === name);
      killGroup(name, "SIGSTOP");
      const postmaster = Number(readFileSync(join(own, "data/postmaster.pid"), "utf8").split("\n")[0]);
      const { stdout } = spawnSync("pgrep", ["-P", String(postmaster)], { encoding: "utf8" });
      for (const pid of [postmaster, ...stdout.trim().split("\n").map(Number)])
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // It ended with its postmaster.
        }
      killGroup(name, "SIGKILL");
    },
    revive: (name) => startNode(nodes.find((node) => node.name === name)),
    replicates: (name) => until(`${name} as a standby`, () => replicates(name)),
    async close() {
      for (const name of ["app-0", "app-1"]) killGroup(name, "SIGTERM");
      await sleep(500);
      // Patroni stops its PostgreSQL; it must still reach etcd for that.
      for (const name of names) running.get(name)?.kill("SIGTERM");
      await Promise.race([
        until(
          "the end",
          () => names.every((name) => running.get(name).exitCode !== null || running.get(name).signalCode !== null),
          20_000,
        ),
        sleep(20_000),
      ]).catch(() => {});
      for (const name of running.keys()) killGroup(name, "SIGKILL");
      for (const { home: own } of nodes)
        spawnSync("/usr/lib/postgresql/15/bin/pg_ctl", ["stop", "-m", "immediate", "-D", join(own, "data")], {
          ...owner,
          cwd: "/",
        });
      rmSync(home, { recursive: true, force: true });
    },
  };
}
