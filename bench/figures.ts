import { openOfficeSession } from "#office/sign-in/session.server.ts";
import { addStaff } from "#staff/staff.server.ts";
import type { Fresh, OpenFresh } from "./cluster.ts";
import { compare, ms, type Result } from "./measures.ts";
import { populate } from "./population.ts";
import { openProduct, publicUrl } from "./product.ts";

const most = 1.3;
const named = (size: number) => size.toLocaleString("en").replaceAll(",", " ");
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 10);
const period = (from: number, to: number) => new URLSearchParams({ From: daysAgo(from), To: daysAgo(to) });

const readings: [what: string, path: string][] = [
  ["figures of a month", `office/figures?${period(31, 1)}`],
  ["figures of a year", `office/figures?${period(366, 1)}`],
];

/** The figures with few customers and with many. */
export async function measureFigures(fresh: OpenFresh, few: number, many: number): Promise<Result[]> {
  const small = await load(await fresh(), few);
  const large = await load(await fresh(), many);
  const results: Result[] = [];
  for (const [what, path] of readings) {
    const { one, other } = await compare(
      () => large(path),
      () => small(path),
      200,
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
  const staffId = await addStaff(database, { ...person, role: "marketing" });
  const token = await openOfficeSession(database, new Request(publicUrl), staffId, new Date());
  const ask = openProduct(database);
  const headers = { cookie: `staff.token=${token}` };
  return (path: string) => ask(path, { headers });
}
