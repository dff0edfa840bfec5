import { randomUUID } from "node:crypto";
import { afterEach } from "vitest";
import { customerEmails, customers } from "#identity/customer/customer.tables.server.ts";
import { openSession } from "#identity/session/session.server.ts";
import type { CallFailed } from "#platform/api/client/client.ts";
import { expectInvariants, openInvariants } from "./invariants.server.ts";
import { openTestProduct } from "./product.server.ts";

/** The product with customers who are signed in and a clock that tests move. */
export async function openTestClub(
  environment: Record<string, string> = {},
  deps: Parameters<typeof openTestProduct>[1] = {},
) {
  const clock = { now: new Date("2026-03-10T10:00:00Z") };
  const product = await openTestProduct(environment, { now: () => clock.now, ...deps });
  const { database, databaseUrl, as } = product;
  openInvariants(database, databaseUrl);
  // Every test, also one that moves no points as far as it knows.
  afterEach(() => expectInvariants(database));

  /** A person signed in, with a confirmed address unless the facts say otherwise. */
  async function addCustomer(facts: Partial<typeof customers.$inferInsert> = {}) {
    const email = facts.email ?? `${randomUUID()}@exemple.fr`;
    const [customer] = await database
      .insert(customers)
      .values({
        firstname: "Camille",
        lastname: "Laurent",
        birthday: "1990-07-14",
        emailVerifiedAt: clock.now,
        ...facts,
        email,
      })
      .returning();
    if (!customer) throw new Error("The customer was not written.");
    if (!customer.guest) await database.insert(customerEmails).values({ email, customerId: customer.id });
    const { token } = await openSession(database, customer.id, { device: null });
    return {
      id: customer.id,
      subject: customer.subject,
      email,
      token,
      call: as(token),
      as: (language: string) => as(token, { "accept-language": language }),
    };
  }

  return { ...product, clock, addCustomer };
}

/** The refusal of a call that must be refused: its status, code and text. */
export async function refusalOf(call: Promise<unknown>) {
  const failed = await call.then(
    () => undefined,
    // The client throws nothing else; another error shows itself by its missing problem.
    (error: CallFailed) => error,
  );
  return { status: failed?.status, code: failed?.problem?.code, detail: failed?.problem?.detail };
}
