import { runCommand } from "#commands/command.server.ts";
import { countViolations, invariants } from "#loyalty/ledger/invariants/invariants.server.ts";

/** `npm run verify`: checks every invariant against the data as it is. */
await runCommand(async ({ database }) => {
  let broken = 0;
  for (const invariant of invariants) {
    const rows = await countViolations(database, invariant);
    const verdict = rows === 0 ? "holds" : `BROKEN by ${rows} rows`;
    console.log(`${String(invariant.number).padStart(2)} ${verdict.padEnd(8)} ${invariant.name}`);
    if (rows) broken += 1;
  }
  console.log(broken === 0 ? "Everything holds." : `${broken} of ${invariants.length} do not hold.`);
  if (broken > 0) process.exitCode = 1;
});
