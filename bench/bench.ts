import { measureBetterAuth } from "./better-auth.ts";
import { type OpenFresh, withCluster } from "./cluster.ts";
import { measureCustomer } from "./customer.ts";
import { measureGrowth } from "./growth.ts";
import { measureHistory } from "./history.ts";
import { isKept, type Result } from "./measures.ts";
import { measureObtaining } from "./obtaining.ts";
import { keep, print } from "./report.ts";

/**
 * `npm run bench`: what the product promises about speed, each as a ratio taken in one run on one machine,
 * so that it says the same on a fast machine and on a slow one. A broken floor fails the run.
 * Names of parts restrict it to them; `keep` writes what was measured to docs/bench.md.
 */
const parts: Record<string, (fresh: OpenFresh) => Promise<Result[]>> = {
  history: async (fresh) => measureHistory(await fresh("histories")),
  obtaining: async (fresh) => measureObtaining(await fresh("rewards")),
  customer: async (fresh) => measureCustomer(await fresh("customers")),
  "better-auth": async (fresh) => measureBetterAuth(await fresh("ours"), await fresh("theirs", { empty: true })),
  growth: (fresh) => measureGrowth(fresh, 1_000, 100_000),
  million: (fresh) => measureGrowth(fresh, 1_000, 1_000_000),
};
/** Too long for a run of everything. */
const onlyByName = "million";

const words = process.argv.slice(2);
const names = words.filter((word) => word !== "keep");
const unknown = names.find((name) => !(name in parts));
if (unknown) throw new Error(`There is no part ${unknown}; there are ${Object.keys(parts).join(", ")}.`);

await withCluster(async (fresh) => {
  for (const [name, measure] of Object.entries(parts)) {
    if (names.length > 0 ? !names.includes(name) : name === onlyByName) continue;
    const results = await measure(fresh);
    for (const result of results) print(result);
    if (words.includes("keep")) keep(name, results);
    if (!results.every(isKept)) process.exitCode = 1;
  }
});
