import { bootstrap, JobQueueService } from "@vendure/core";
import { config } from "./config.ts";
import { seed } from "./seed.ts";
import { settings } from "./settings.ts";
import { createStorefront } from "./storefront/storefront.ts";

const app = await bootstrap(config);
await seed(app);
await app.get(JobQueueService).start();
const storefront = createStorefront().listen(settings.shopPort, "127.0.0.1", () =>
  console.log(`The shop is open: ${settings.shopUrl}`),
);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, async () => {
    storefront.close();
    await app.close();
    process.exit(0);
  });
