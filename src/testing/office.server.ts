import { openOfficeSession } from "#office/session.server.ts";
import type { StaffRole } from "#platform/api/endpoint.server.ts";
import { addStaff } from "#staff/staff.server.ts";
import { openTestTill } from "./till.server.ts";

/** The product with people signed in to its back office. */
export async function openTestOffice(environment: Record<string, string> = {}) {
  const till = await openTestTill(environment);
  const { clock, database, openBrowser, openShop } = till;
  let people = 0;

  /** A browser in which somebody of this role has just signed in. */
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

  return { ...till, openOffice };
}
