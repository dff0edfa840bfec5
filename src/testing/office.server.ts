import { eq } from "drizzle-orm";
import { newTotpSecret, officeSealing, totpCode, totpStep } from "#office/sign-in/credentials/totp.server.ts";
import { openOfficeSession } from "#office/sign-in/session.server.ts";
import type { StaffRole } from "#platform/api/endpoint.server.ts";
import { addStaff } from "#staff/staff.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { openTestTill } from "./till.server.ts";

const password = "correct horse battery";

/** The product with people signed in to its back office. */
export async function openTestOffice(environment: Record<string, string> = {}) {
  const till = await openTestTill(environment);
  const { clock, database, openBrowser, openShop, passwords, pins } = till;
  let people = 0;

  /** A browser in which a person of this role has just signed in. */
  async function openOffice(role: StaffRole, shopId?: number) {
    people += 1;
    const own = role === "shop" ? (shopId ?? (await openShop()).shopId) : null;
    const email = `office-${people}@cercle.example`;
    const person = { email, firstname: "Lou", lastname: "Garnier", role, shopId: own };
    const id = await addStaff(database, person);
    const browser = openBrowser();
    const token = await openOfficeSession(database, new Request("https://cercle.example"), id, clock.now);
    browser.cookies.set("staff.token", token);
    return { ...browser, id, email, shopId: own, token };
  }

  /** A person with a password and a secret of codes, who has not signed in. */
  async function addOfficePerson(role: StaffRole = "owner") {
    people += 1;
    const email = `office-${people}@cercle.example`;
    const own = role === "shop" ? (await openShop()).shopId : null;
    const id = await addStaff(database, { email, firstname: "Lou", lastname: "Garnier", role, shopId: own });
    const secret = newTotpSecret();
    const sealing = officeSealing(pins);
    const [passwordHash, totpSecret] = [await passwords.hash(password), sealing.seal(secret)];
    await database.update(staff).set({ passwordHash, totpSecret }).where(eq(staff.id, id));
    const code = () => totpCode(secret, totpStep(clock.now));
    return { id, email, password, code, secret };
  }

  return { ...till, openOffice, addOfficePerson };
}
