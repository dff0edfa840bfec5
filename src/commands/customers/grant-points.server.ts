import { eq, sql } from "drizzle-orm";
import { CommandRefused } from "#commands/command.server.ts";
import { customerEmails, customers } from "#identity/customer/customer.tables.server.ts";
import { earn } from "#loyalty/ledger/earning.server.ts";
import { defaultProgrammeId } from "#loyalty/programme/programme.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";

const mostPoints = 1_000_000;
const usage = 'Usage: npm run grant -- EMAIL POINTS CAUSE, for example: camille@exemple.fr 120 "Achat 4711"';

/** Points for a purchase or an adjustment, as an operator types them. The same cause twice grants once. */
export async function grantPoints(
  database: Database,
  words: string[],
  { now, publicUrl }: { now: Date; publicUrl: string },
): Promise<string> {
  const [email, amount, cause, ...more] = words;
  if (!email || !amount || !cause?.trim() || more.length > 0) throw new CommandRefused(usage);
  const points = Number(amount);
  if (!/^[1-9]\d*$/.test(amount) || points > mostPoints)
    throw new CommandRefused(`POINTS must be a whole number from 1 to ${mostPoints}.`);
  if (cause.length > 200) throw new CommandRefused("CAUSE must not be longer than 200 characters.");
  const [customer] = await database
    .select({ id: customers.id, language: customers.language })
    .from(customers)
    .innerJoin(customerEmails, eq(customerEmails.customerId, customers.id))
    .where(eq(customerEmails.email, sql`lower(trim(${email}))`));
  if (!customer) throw new CommandRefused(`Nobody is registered as ${email}.`);
  const context = { now, locale: customer.language, publicUrl };
  const granted = await database
    .transaction((tx) =>
      earn(
        tx,
        defaultProgrammeId,
        { customerId: customer.id, points, kind: "grant", cause: `grant:${cause}`, label: { text: cause } },
        context,
      ),
    )
    .catch((error: unknown) => {
      if (error instanceof Refusal && error.code === "not_a_member")
        throw new CommandRefused(`${email} is not a member of the club: nothing was granted.`);
      throw error;
    });
  return granted.moved
    ? `${email} received ${points} points for "${cause}": the balance is ${granted.balance}.`
    : `${email} had already received points for "${cause}": the balance is ${granted.balance}.`;
}
