import { runCommand } from "#commands/command.server.ts";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { officeSealing } from "#office/sign-in/credentials/totp.server.ts";
import { createKeySealing } from "#oidc/signing-keys.server.ts";
import { createSecrets } from "#shop/webhooks/secrets.server.ts";
import { createPins } from "#staff/pins.server.ts";
import { resealSecrets } from "./reseal-secrets.server.ts";

/** `npm run reseal`: encrypts every stored secret with the current WEBHOOK_KEY, PIN_KEY and OIDC_KEY; the keys before may then go. */
await runCommand(async ({ database, settings }) => {
  const office = officeSealing(createPins(settings, createPasswordHashes()));
  console.log(
    await resealSecrets(database, { webhooks: createSecrets(settings), office, oidc: createKeySealing(settings) }),
  );
});
