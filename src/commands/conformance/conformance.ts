import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createServer } from "#app/server.ts";
import { CommandRefused, runCommand } from "#commands/command.server.ts";
import { createLog } from "#platform/log.server.ts";
import { openClub } from "./club.server.ts";
import { openNetwork } from "./network.server.ts";
import { runConformance } from "./suite.server.ts";

const usage = "Usage: npm run conformance -- --connector URL, the address of the adapter of your connector";

/** `npm run conformance -- --connector URL`: tries a connector with a Cercle of its own, whose clock and network are scripted. */
const { connector } = parseArgs({ options: { connector: { type: "string" } } }).values;
const dataDir = mkdtempSync(join(tmpdir(), "cercle-conformance-"));
delete process.env["DATABASE_URL"];
process.env["DATA_DIR"] = dataDir;
await runCommand(async ({ database, settings }) => {
  if (!connector) throw new CommandRefused(usage);
  const clock = { now: new Date() };
  const product = createServer({
    ...{ settings: { ...settings, rateLimits: false }, database, log: createLog("silent"), now: () => clock.now },
    assetsOf: () => ({ script: "", styles: [], preload: [], fonts: [] }),
  });
  const fetchProduct = async (request: Request) => product.fetch(request, { address: "127.0.0.1" });
  const network = await openNetwork(fetchProduct);
  try {
    const club = await openClub({ database, fetchProduct, clock });
    const verdicts = await runConformance({ club, network, clock, connector });
    for (const { check, failure } of verdicts)
      console.log(failure === undefined ? `holds  ${check}` : `FAILS  ${check}\n       ${failure}`);
    const failed = verdicts.filter(({ failure }) => failure !== undefined).length;
    console.log(`${verdicts.length - failed} hold, ${failed} fail`);
    if (failed > 0) process.exitCode = 1;
  } finally {
    await network.close();
  }
});
rmSync(dataDir, { recursive: true, force: true });
