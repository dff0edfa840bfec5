// The product behind Vite's middleware: a change in the browser's code shows at once, one in the server's at the next request.
import { createServer as createHttp } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createServer as createVite, isRunnableDevEnvironment } from "vite";

const vite = await createVite({ server: { middlewareMode: true } });
const { ssr } = vite.environments;
if (!isRunnableDevEnvironment(ssr)) throw new Error("Vite cannot run the server's code here.");

// Loaded once: the database and the settings stay through every reload.
const { open } = await ssr.runner.import("/src/app/open.server.ts");
const { settings, database, log, stop } = await open(process.env, "development");
let loadedCreateServer;
let product;
let jobs = Promise.resolve();

async function compose() {
  const { createServer } = await ssr.runner.import("/src/app/server.ts");
  const { sourceAssets } = await ssr.runner.import("/src/pages/assets.server.ts");
  const { startJobs } = await ssr.runner.import("/src/platform/jobs/jobs.server.ts");
  if (loadedCreateServer === createServer) return;
  loadedCreateServer = createServer;
  product = createServer({ settings, database, log, assetsOf: sourceAssets(), development: true });
  // The job runner restarts with the new code; a request does not wait for it.
  jobs = jobs.then(async (running) => {
    await running?.stop();
    return startJobs({ database, jobs: product.jobs, cron: product.cron, log });
  });
}

async function fetch(request, env) {
  await compose();
  return product.fetch(request, { address: env.incoming.socket.remoteAddress });
}

const handleRequest = getRequestListener(fetch);
const server = createHttp((request, response) =>
  vite.middlewares(request, response, () => handleRequest(request, response)),
);
await compose();
server.listen(settings.port, settings.host, () => console.log(`Cercle in development: ${settings.publicUrl.origin}`));

for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, async () => {
    await vite.close();
    server.close();
    await (await jobs)?.stop();
    await stop();
    process.exit(0);
  });
