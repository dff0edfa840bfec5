import { sql } from "drizzle-orm";
import { countViolations, invariants } from "#loyalty/ledger/invariants/invariants.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import type { Writer } from "./writer.ts";

/** Compares the database with the responses the clients got, and checks the invariants. */
export async function findFaults(database: Database, clients: Writer[]): Promise<string[]> {
  const faults: string[] = [];
  for (const client of clients) {
    faults.push(...client.faults());
    const { rows: vouchers } = await database.execute<{ code: string }>(
      sql`select code from loyalty_voucher where customer_id = ${client.customerId}`,
    );
    const held = new Set(vouchers.map(({ code }) => code));
    for (const code of client.codes()) if (!held.delete(code)) faults.push(`an acknowledged voucher is lost`);
    // Every key was retried until it got a response, so a voucher in no response is a duplicate.
    if (held.size > 0) faults.push(`${held.size} vouchers were made twice`);
    const { rows: numbers } = await database.execute<{ number: string }>(
      sql`select number from shop_receipt where number like ${`${client.prefix}-%`}
        and (exists (select from shop_sale s where (s.shop_id, s.number) = (shop_receipt.shop_id, shop_receipt.number))
          or exists (select from shop_return r where (r.shop_id, r.number) = (shop_receipt.shop_id, shop_receipt.number)))`,
    );
    const written = new Set(numbers.map(({ number }) => number));
    for (const number of client.receipts()) if (!written.delete(number)) faults.push("an acknowledged receipt is lost");
    if (written.size > 0) faults.push(`${written.size} receipts that nobody sent`);
    const { rows: people } = await database.execute<{ email: string; count: number }>(
      sql`select email, count(*)::integer as count from customer where email like ${`${client.prefix}-%`} group by email`,
    );
    const registered = new Map(people.map(({ email, count }) => [email, count]));
    for (const email of client.registered())
      if (registered.get(email) !== 1) faults.push(`a registration is there ${registered.get(email) ?? 0} times`);
    const { rows: names } = await database.execute<{ lastname: string }>(
      sql`select lastname from customer where id = ${client.customerId}`,
    );
    if (!client.mayBeCalled(names[0]?.lastname ?? "")) faults.push("an acknowledged change of name is lost");
  }
  for (const invariant of invariants)
    if (await countViolations(database, invariant)) faults.push(`invariant ${invariant.number} is broken`);
  return faults;
}
