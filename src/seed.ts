import { runCommand } from "./command.server.ts";
import { seedPeople } from "./seed-people.server.ts";

/** `npm run seed`: a small population to look at. Running it again adds whoever is missing. */
await runCommand(async ({ database, settings }) => {
  // Without a password hash these people sign in by link alone.
  const options = { now: new Date(), publicUrl: settings.publicUrl.origin, passwordHash: null };
  const added = await seedPeople(database, options);
  for (const email of added) console.log(`Added ${email}`);
  console.log(added.length === 0 ? "Everybody was there already." : `${added.length} people added.`);
});
