import { eq } from "drizzle-orm";
import { clubDay } from "#i18n/club-day.ts";
import { birthdayError } from "#identity/customer/age.ts";
import { customers } from "#identity/customer/customer.tables.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { Refusal } from "#platform/refusal.ts";

/**
 * Joining needs a birthday. One already known stands: it is changed among the customer's details, where a change
 * has its consequences. The first one ever given is no change.
 */
export async function ensureBirthday(
  queries: Queries,
  customerId: number,
  given: string | undefined,
  now: Date,
): Promise<void> {
  const error = given === undefined ? undefined : birthdayError(given, clubDay(now));
  if (error) refuse(error);
  // Locked, so that of two first birthdays sent at once the second finds the first.
  const [customer] = await queries
    .select({ birthday: customers.birthday })
    .from(customers)
    .where(eq(customers.id, customerId))
    .for("no key update");
  if (!customer) throw new Refusal("not_signed_in");
  if (customer.birthday !== null) return;
  if (given === undefined) return refuse("required");
  await queries.update(customers).set({ birthday: given, updatedAt: now }).where(eq(customers.id, customerId));
}

function refuse(code: "birthday" | "birthday_future" | "required"): never {
  throw new Refusal("invalid", { errors: [{ field: "CustomerBirthday", code }] });
}
