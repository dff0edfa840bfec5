import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import pg from "pg";
import { expect, hydrated, type Locale, text } from "./browser.ts";
import { mailedLink } from "./mailbox.ts";
import { postmasterOf } from "./processes.ts";

export const password = "Secret-2026";

/** What makes a member of each cloth: the status follows the points earned in twelve months. */
export const cloths = { cotton: 0, silk: 1_200, cashmere: 3_200 };

/** A window's page, or the window itself: opening a page that nobody looks at costs a process. */
type Visitor = Pick<Page, "request">;

/** Registers a new person in this browser, as a member, with so many points beyond the welcome gift. */
export async function joinAs(
  visitor: Visitor,
  person: { firstname: string; lastname?: string; email?: string; points?: number },
  product = "",
) {
  const { email = `${randomBytes(6).toString("hex")}@exemple.fr` } = person;
  const response = await visitor.request.post(`${product}/api/customer`, {
    form: {
      Email: email,
      Password: password,
      Firstname: person.firstname,
      Lastname: person.lastname ?? "Laurent",
      Birthday: "1990-07-14",
      LoyaltySubscribe: "true",
    },
    headers: { "sec-fetch-site": "same-origin" },
  });
  expect(response.status()).toBe(200);
  if (person.points) await grant(email, person.points);
  const standing = await (await visitor.request.get(`${product}/api/loyalty/customer`)).json();
  return { email, number: standing.Card.Number as string };
}

/** Signs in with the form on the page. */
export async function signInAs(page: Page, email: string, locale: Locale = "fr"): Promise<void> {
  await hydrated(page);
  await page.getByLabel(text(locale, "identity.email")).fill(email);
  await page.locator("[name=Password]").fill(password);
  await page.getByRole("button", { name: text(locale, "login.submit") }).click();
}

/** Grants points by the ledger's own function; a process of the operator's command each time would cost a second. */
export async function grant(email: string, points: number, at?: Date): Promise<void> {
  const client = new pg.Client({ connectionString: postmasterOf(process.env["E2E_DATA_DIR"] ?? "").url });
  await client.connect();
  await client.query(
    `select loyalty_credit(customer_id, $2, 'grant', $3, '{"text": "Achat"}', moment, moment)
     from customer_email, coalesce($4::timestamptz, now()) moment where email = $1`,
    [email, points, `grant:${randomBytes(6).toString("hex")}`, at],
  );
  await client.end();
}

/** Follows the link in the confirmation email, as the customer who is signed in; from then on points can be spent. */
export async function confirmAddress(visitor: Visitor): Promise<void> {
  const { Email, EmailVerified } = await (await visitor.request.get("/api/customer")).json();
  if (EmailVerified) return;
  // A link that was sent again ends the one before, and its email may still be on its way.
  await expect(async () => {
    const link = await mailedLink(visitor.request, Email, "/account/email");
    const confirmed = await visitor.request.post("/api/customer/email/verify", {
      form: { Token: link.split("token=")[1] ?? "" },
      headers: { "sec-fetch-site": "same-origin" },
    });
    expect(confirmed.status()).toBe(200);
  }).toPass();
}

/** Turns points into a voucher, and returns its code. */
export async function obtainVoucher(visitor: Visitor): Promise<string> {
  await confirmAddress(visitor);
  const response = await visitor.request.post("/api/loyalty/reward/1/obtain", {
    form: { IdLoyaltyReward: "1" },
    headers: { "sec-fetch-site": "same-origin" },
  });
  return (await response.json()).CustomerReward.Code;
}

/** What the customer has: the points of today's sales are pending. */
export async function pointsOf(visitor: Visitor): Promise<number> {
  const { Points } = await (await visitor.request.get("/api/loyalty/customer")).json();
  return Points.Available + Points.Pending;
}

/** Opens a row of the details. */
export const openRow = (page: Page, title: string) =>
  page.locator("details[name=details] > summary", { hasText: title }).click();
