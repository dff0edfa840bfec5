// `npm run cluster [-- --runs 3]`: three PostgreSQL nodes under Patroni with three etcd, HAProxy, pgbouncer and two processes
// of the product, all on this machine's loopback. Kills the leader with its Patroni under a stream of acknowledged writes,
// tells how long writes were refused, brings the old leader back, and looks for every acknowledged registration and sale,
// which must be there once, with its points.
// As root (the servers run as postgres), with the packages named in deploy/cluster/patroni.yml; elsewhere it ends with 2.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { openCluster } from "./cluster/cluster.mjs";
import { createStream } from "./cluster/stream.mjs";

const { values } = parseArgs({
  options: { runs: { type: "string", default: "1" }, port: { type: "string", default: "7400" } },
});
const needed = [
  "/usr/bin/patroni",
  "/usr/bin/etcd",
  "/usr/sbin/haproxy",
  "/usr/sbin/pgbouncer",
  "/usr/lib/postgresql/15/bin/postgres",
];
const missing = needed.filter((path) => !existsSync(path));
if (process.getuid() !== 0 || missing.length > 0) {
  console.error(`The cluster needs root and ${needed.join(", ")}; missing: ${missing.join(", ") || "root"}.`);
  process.exit(2);
}

let broken = 0;
const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;
for (let run = 1; run <= Number(values.runs); run += 1) {
  const startedAt = Date.now();
  const cluster = await openCluster(Number(values.port));
  try {
    console.log(`run ${run}: up after ${seconds(Date.now() - startedAt)}, leader ${(await cluster.leader()).name}`);
    const shop = cluster.command("shop", "add", "Cluster", "Paris").at(-1);
    const stream = createStream(cluster.sites, cluster.command("shop", "key", shop, "Till").at(-1));
    await stream.acknowledged(40);
    const old = await cluster.leader();
    const killedAt = Date.now();
    cluster.kill(old.name);
    const outageMs = await stream.recovered(killedAt);
    const fresh = await cluster.leader();
    console.log(`run ${run}: ${old.name} killed; ${fresh.name} takes writes, refused for ${seconds(outageMs)}`);
    const backAt = Date.now();
    cluster.revive(old.name);
    await cluster.replicates(old.name);
    console.log(`run ${run}: ${old.name} is back as a standby after ${seconds(Date.now() - backAt)}`);
    await stream.acknowledged(40);
    const counts = await stream.stop();
    const faults = await stream.faults(cluster);
    broken += faults.length;
    for (const fault of faults) console.log(`FAULT ${fault}`);
    console.log(
      `run ${run}: ${counts.registered} registrations and ${counts.sold} sales acknowledged, ${counts.repeated} sales repeated, ${counts.refused} refused with 503, ${counts.others.length} failed otherwise${counts.others.slice(0, 3).map((one) => ` (${one})`)}, ${faults.length} lost or doubled`,
    );
    console.log(`run ${run}: ${cluster.command("verify").at(-1)} The scene took ${seconds(Date.now() - startedAt)}`);
  } finally {
    await cluster.close();
  }
}
process.exitCode = broken === 0 ? 0 : 1;
