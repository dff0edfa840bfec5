import { runCommand } from "#commands/command.server.ts";
import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { seedOffice } from "./seed-office.server.ts";
import { demoPassword, seedPeople } from "./seed-people.server.ts";

/** `npm run seed`: adds the demo customers; running it again adds the missing ones. */
await runCommand(async ({ database, settings }) => {
  // The password is public in this file, so it works in the sandbox alone; elsewhere these customers sign in by link.
  const passwordHash = settings.sandbox ? await createPasswordHashes().hash(demoPassword) : null;
  const added = await seedPeople(database, { now: new Date(), publicUrl: settings.publicUrl.origin, passwordHash });
  for (const person of added) console.log(person);
  console.log(added.length === 0 ? "Everybody was there already." : `${added.length} people added.`);
  if (passwordHash) console.log(`Their password is ${demoPassword}.`);
  if (settings.sandbox) await seedOffice({ database, settings, now: new Date() });
});
