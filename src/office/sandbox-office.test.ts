import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { findKey } from "#platform/database/keys/stored-keys.server.ts";
import { storedKeys } from "#platform/database/keys/stored-keys.tables.server.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import { officePath } from "./paths.ts";
import { endSandboxOffice, openSandboxOffice, sandboxOffice } from "./sandbox-office.server.ts";
import { readSession, signIn } from "./sign-in/calls.ts";
import { companyPath } from "./sign-in/company-account/paths.ts";

const { clock, database, openBrowser, openOffice, passwords, pins } = await openTestOffice();
const deps = { database, passwords, pins };
const people = () => sandboxOffice(deps, clock.now);

test("one person per role signs in while the sandbox is on, and none without it", async () => {
  const shown = await people();
  expect(shown.map(({ Role }) => Role).sort()).toEqual(["marketing", "owner", "service", "shop"]);
  for (const { Email, Password, Code, Role } of shown) {
    const { call } = openBrowser();
    await call(signIn, { Email, Password, Code });
    expect(await call(readSession)).toMatchObject({ Role });
  }
  // The codes that were used are not shown again.
  for (const { Email, Password, Code } of await people()) await openBrowser().call(signIn, { Email, Password, Code });

  const [{ Email = "", Password = "", Code = "" } = {}] = await people();
  const browser = openBrowser();
  browser.cookies.set("staff.token", await openSandboxOffice(deps, Email, new Request("https://x.example"), clock.now));
  await browser.call(readSession);

  await endSandboxOffice(database, clock.now);
  expect(await refusalOf(browser.call(readSession))).toMatchObject({ code: "not_signed_in" });
  const again = openBrowser().call(signIn, { Email, Password, Code });
  expect(await refusalOf(again)).toMatchObject({ code: "wrong_office_login" });
  const { rows } = await database.$client.query(
    "select id from staff where email = any($1) and (ended_at is null or pin_hash is not null)",
    [shown.map(({ Email }) => Email)],
  );
  expect(rows).toEqual([]);
  await endSandboxOffice(database, clock.now);

  // With the sandbox on again they are back.
  const [back] = await people();
  await openSandboxOffice(deps, back?.Email ?? "", new Request("https://x.example"), clock.now);
});

test("an older sandbox, whose people had other addresses, has these people too, and they end together", async () => {
  const former = { "paul@former.example": { password: "p", secret: "s" } };
  await database.update(storedKeys).set({ value: former }).where(eq(storedKeys.name, "sandbox-office"));
  expect((await people()).map(({ Password }) => Password.length > 8)).toEqual([true, true, true, true]);
  expect(Object.keys((await findKey<object>(database, "sandbox-office")) ?? {})).toHaveLength(5);
});

test("nobody but the sandbox's own people is signed in without a password", async () => {
  const { email } = await openOffice("owner");
  const other = openSandboxOffice(deps, email, new Request("https://x.example"), clock.now);
  await expect(other).rejects.toMatchObject({ code: "not_found" });
});

test("the sandbox's company signs in a person who is new here, with the role of the group", async () => {
  const browser = openBrowser();
  const begun = new URL((await browser.browse(companyPath)).headers.get("location") ?? "");
  expect((await browser.browse(begun.pathname + begun.search)).status).toBe(200);
  const body = new URLSearchParams([...begun.searchParams, ["sub", "company-nadia"]]);
  const chosen = await browser.browse(begun.pathname, { method: "POST", body });
  const back = new URL(chosen.headers.get("location") ?? "");
  expect((await browser.browse(back.pathname + back.search)).headers.get("location")).toBe(officePath);
  expect(await browser.call(readSession)).toMatchObject({ Email: "nadia@cercle.example", Role: "marketing" });
});
