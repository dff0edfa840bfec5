import { randomUUID } from "node:crypto";
import { afterEach, expect } from "vitest";
import { customerEmails, customers } from "#identity/customer/customer.tables.server.ts";
import { openSession } from "#identity/session/session.server.ts";
import { invariants } from "#loyalty/ledger/invariants/invariants.server.ts";
import type { CallFailed } from "#platform/api/client/client.ts";
import type { Database } from "#platform/database/database.server.ts";
import { openTestProduct } from "./product.server.ts";

const ofPoints = invariants.filter((invariant) => invariant.ofPoints);

/** How many rows break each invariant of points, as one statement. */
const allViolations = ofPoints
  .map(
    ({ number, violations }) => `select ${number} as number, count(*)::integer as rows from (${violations}) v${number}`,
  )
  .join(" union all ");

/** After every test that moves points: each invariant holds. */
export async function expectInvariants({ $client }: Database): Promise<void> {
  // By its name a connection plans it once: of tables with few rows, planning takes most of the time.
  const { rows } = await $client.query<{ number: number; rows: number }>({ name: "invariants", text: allViolations });
  const rowsOf = new Map(rows.map(({ number, rows }) => [number, rows]));
  const found = ofPoints.map(({ number, name }) => ({ number, name, rows: rowsOf.get(number) }));
  expect(found).toEqual(ofPoints.map(({ number, name }) => ({ number, name, rows: 0 })));
}

/** The product with customers who are signed in and a clock that tests move. */
export async function openTestClub(
  environment: Record<string, string> = {},
  deps: Parameters<typeof openTestProduct>[1] = {},
) {
  const clock = { now: new Date("2026-03-10T10:00:00Z") };
  const product = await openTestProduct(environment, { now: () => clock.now, ...deps });
  const { database, as } = product;
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
