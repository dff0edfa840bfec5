import { createPasswordHashes } from "#identity/password/password-hashes.server.ts";
import { runCommand } from "./command.server.ts";
import { seedPeople } from "./seed-people.server.ts";

/** What everybody in the demonstration signs in with. */
const demoPassword = "cercle2026";

/** `npm run seed`: a small population to look at. Running it again adds whoever is missing. */
await runCommand(async ({ database, settings }) => {
  // A password that everybody can read here must open nothing anywhere else: there these people sign in by link alone.
  const passwordHash = settings.sandbox ? await createPasswordHashes().hash(demoPassword) : null;
  const added = await seedPeople(database, { now: new Date(), publicUrl: settings.publicUrl.origin, passwordHash });
  for (const person of added) console.log(person);
  console.log(added.length === 0 ? "Everybody was there already." : `${added.length} people added.`);
  if (passwordHash) console.log(`Their password is ${demoPassword}.`);
});
