import { openOfficeSession } from "#office/sign-in/session.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { addStaff } from "#staff/staff.server.ts";
import type { Fresh, OpenFresh } from "./cluster.ts";
import { compare, ms, type Result } from "./measures.ts";
import { cardOf, emailOf, populate } from "./population.ts";
import { openProduct, publicUrl } from "./product.ts";

const named = (size: number) => size.toLocaleString("en").replaceAll(",", " ");
const anybody = (size: number) => 1 + Math.floor(Math.random() * size);
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 10);
const metrics = (days: number) => `office/figures?${new URLSearchParams({ From: daysAgo(days + 1), To: daysAgo(1) })}`;
const search = (text: string) => `office/customers?${new URLSearchParams({ Search: text })}`;

/** What a person of the back office reads, each time of another customer, and how much more it may take with many. */
const readings: [what: string, most: number, path: (customer: number) => string][] = [
  ["the list of customers", 1.5, () => "office/customers"],
  ["customers by a name that everybody has", 1.5, () => search("mesure")],
  ["a customer by card", 1.5, (customer) => search(cardOf(customer))],
  ["a customer by email", 1.5, (customer) => search(emailOf(customer))],
  ["the record of a customer", 1.5, (customer) => `office/customer?IdCustomer=${customer}`],
  ["the timeline of a customer", 1.5, (customer) => `office/customer/timeline?IdCustomer=${customer}`],
  ["metrics of a month", 1.3, () => metrics(30)],
  ["metrics of a year", 1.3, () => metrics(365)],
];

/** The back office's reading with few customers and with many. */
export async function measureOffice(fresh: OpenFresh, few: number, many: number): Promise<Result[]> {
  const small = await load(await fresh(), few);
  const large = await load(await fresh(), many);
  const results: Result[] = [];
  for (const [what, most, path] of readings) {
    const { one, other } = await compare(
      () => large(path),
      () => small(path),
      400,
    );
    results.push({
      what: `${what}: ${named(many)} customers to ${named(few)}`,
      metrics: `${ms(one)} to ${ms(other)}`,
      ratio: one / other,
      most,
    });
  }
  return results;
}

async function load({ database }: Fresh, size: number) {
  await populate(database, size);
  const { read: readPath } = await openOffice(database);
  const read = (path: (customer: number) => string) => readPath(path(anybody(size)));
  // As in bench/growth.ts: a tenth of the customers is read once, so that the buffers hold what they would hold in use.
  for (let n = 0; n < size / 10; n += 8)
    await Promise.all(Array.from({ length: 8 }, () => read((customer) => search(cardOf(customer)))));
  return read;
}

/** A person of the back office who is signed in. */
export async function openOffice(database: Database) {
  const person = { email: "bench@cercle.example", firstname: "Lou", lastname: "Garnier", shopId: null } as const;
  const staffId = await addStaff(database, { ...person, role: "owner" });
  const token = await openOfficeSession(database, new Request(publicUrl), staffId, new Date());
  const ask = openProduct(database);
  const headers = { cookie: `staff.token=${token}` };
  return { read: (path: string) => ask(path, { headers }) };
}
