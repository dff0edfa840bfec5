import { openOfficeSession } from "#office/sign-in/session.server.ts";
import { addStaff } from "#staff/staff.server.ts";
import type { Fresh, OpenFresh } from "./cluster.ts";
import { compare, ms, type Result } from "./measures.ts";
import { cardOf, emailOf, populate } from "./population.ts";
import { openProduct, publicUrl } from "./product.ts";

const most = 1.5;
const named = (size: number) => size.toLocaleString("en").replaceAll(",", " ");
const anybody = (size: number) => 1 + Math.floor(Math.random() * size);
const search = (text: string) => `office/customers?${new URLSearchParams({ Search: text })}`;

/** What somebody of the back office reads of customers; each time of another one. */
const readings: [what: string, path: (customer: number) => string][] = [
  ["the list of customers", () => "office/customers"],
  ["customers by a name that everybody has", () => search("mesure")],
  ["a customer by card", (customer) => search(cardOf(customer))],
  ["a customer by email", (customer) => search(emailOf(customer))],
  ["the record of a customer", (customer) => `office/customer?IdCustomer=${customer}`],
  ["the timeline of a customer", (customer) => `office/customer/timeline?IdCustomer=${customer}`],
];

/** The back office's reading with few customers and with many. */
export async function measureOffice(fresh: OpenFresh, few: number, many: number): Promise<Result[]> {
  const small = await load(await fresh(), few);
  const large = await load(await fresh(), many);
  const results: Result[] = [];
  for (const [what, path] of readings) {
    const { one, other } = await compare(
      () => large(path),
      () => small(path),
      1_000,
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
  const person = { email: "bench@cercle.example", firstname: "Lou", lastname: "Garnier", shopId: null } as const;
  const staffId = await addStaff(database, { ...person, role: "service" });
  const token = await openOfficeSession(database, new Request(publicUrl), staffId, new Date());
  const ask = openProduct(database);
  const headers = { cookie: `staff.token=${token}` };
  return (path: (customer: number) => string) => ask(path(anybody(size)), { headers });
}
