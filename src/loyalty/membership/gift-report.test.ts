import { expect, test } from "vitest";
import { subscribe } from "#loyalty/calls.ts";
import { welcomeNetworks } from "#loyalty/ledger/account.tables.server.ts";
import { officePath } from "#office/paths.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { openTestClub } from "#testing/club.server.ts";

const { addCustomer, database, clock, emails, product, settings } = await openTestClub({ RATE_LIMITS: "on" });

test("more than 30 welcome gifts an hour from one network are given, and reported to the owners once", async () => {
  const person = { firstname: "Paul", lastname: "Mercier" };
  await database.insert(staff).values([
    { ...person, email: "owner@cercle.example", role: "owner" },
    { ...person, email: "former@cercle.example", role: "owner", endedAt: clock.now },
    { ...person, email: "service@cercle.example", role: "service" },
  ]);
  const join = async () => {
    const { call, id } = await addCustomer();
    expect((await call(subscribe)).Points.Available).toBe(250);
    return id;
  };
  const start = clock.now;
  await join();
  clock.now = new Date(start.getTime() + 61 * 60_000);
  for (let member = 0; member < 30; member += 1) await join();
  expect(await emails("owner@cercle.example")).toEqual([]);
  const last = await join();
  await join();
  const [report, ...more] = await emails("owner@cercle.example");
  expect(more).toEqual([]);
  expect(report?.plainText).toContain("192.0.2.1");
  expect(report?.links).toContain(`${settings.publicUrl.origin}${officePath}/customer?id=${last}`);
  for (const other of ["former@cercle.example", "service@cercle.example"]) expect(await emails(other)).toEqual([]);

  clock.now = new Date(start.getTime() + 26 * 3_600_000);
  await product.jobs["loyalty:gift-networks"]?.({}, database);
  expect(await database.select().from(welcomeNetworks)).toEqual([]);
});
