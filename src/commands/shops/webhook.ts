import { runCommand } from "#commands/command.server.ts";
import { createSecrets } from "#shop/webhooks/secrets.server.ts";
import { manageWebhooks } from "./manage-webhooks.server.ts";

/** `npm run webhook -- add|list|test|rotate|resend|disable …` */
await runCommand(async ({ database, settings }) => {
  const deps = { queries: database, secrets: createSecrets(settings), sandbox: settings.sandbox, now: new Date() };
  for (const line of await manageWebhooks(deps, process.argv.slice(2))) console.log(line);
});
