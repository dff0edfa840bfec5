import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { textsOf } from "#i18n/texts.server.ts";
import { editCustomer, register } from "#identity/calls.ts";
import { customers } from "#identity/customer.tables.server.ts";
import { registrationForm } from "#identity/test-people.server.ts";
import type { Input } from "#platform/api.ts";
import { openTestProduct } from "./test-product.server.ts";

/** Forms as a browser without script sends them: the page's own answer is all there is. */

const { as, call, database, fetch } = await openTestProduct();

async function enter(changes: Partial<Input<typeof register>> = {}) {
  const { AuthData } = await call(register, registrationForm(changes));
  const send = async (path: string, fields: Record<string, string>) => {
    const response = await fetch(path, {
      method: "POST",
      headers: { cookie: `auth.token=${AuthData.Token}`, origin: "http://localhost:3000" },
      body: new URLSearchParams(fields),
    });
    return { status: response.status, html: await response.text() };
  };
  return { id: AuthData.Customer.IdCustomer, call: as(AuthData.Token), send };
}

/** A field as it stands in the page, and what is in it. */
const fieldIn = (html: string, name: string) => new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(html)?.[0] ?? "";
const valueIn = (html: string, name: string) => / value="([^"]*)"/.exec(fieldIn(html, name))?.[1];

test("a refused profile comes back as it was typed: the birthday, no phone, the boxes", async () => {
  const { call, send } = await enter({ MobilePhone: "+33612345678" });
  await call(editCustomer, { Firstname: "Léa", Lastname: "Martin", NewsletterSubscribe: true });
  const { status, html } = await send("/account/informations", {
    intent: "profile",
    Firstname: "",
    Lastname: "Martin",
    Birthday: "17/05/1990",
    MobilePhone: "",
    NewsletterSmsSubscribe: "true",
  });
  expect(status).toBe(400);
  expect(valueIn(html, "Birthday")).toBe("17/05/1990");
  expect(valueIn(html, "MobilePhone")).toBe("");
  expect(fieldIn(html, "NewsletterSubscribe")).not.toContain("checked");
  expect(fieldIn(html, "NewsletterSmsSubscribe")).toContain("checked");
});

test("a refused registration comes back as it was typed", async () => {
  const { send } = await enter();
  const { status, html } = await send("/authenticate/register", {
    ...registrationForm({ Firstname: "" }),
    Birthday: "17/05/1990",
    LoyaltySubscribe: "true",
  } as Record<string, string>);
  expect(status).toBe(400);
  expect(valueIn(html, "Birthday")).toBe("17/05/1990");
  expect(fieldIn(html, "LoyaltySubscribe")).toContain("checked");
  expect(html).not.toContain("secret-42");
});

test("a refused birthday at the club's door comes back as it was typed, and may be corrected under the page's key", async () => {
  const { id, send } = await enter();
  // Whoever came through a provider has told no birthday.
  await database.update(customers).set({ birthday: null }).where(eq(customers.id, id));
  const join = (CustomerBirthday: string) =>
    send("/account/loyalty/subscribe", { intent: "join", IdempotencyKey: "page.join", CustomerBirthday });
  const refused = await join("24/04/2190");
  expect(refused.status).toBe(400);
  expect(valueIn(refused.html, "CustomerBirthday")).toBe("24/04/2190");
  const joined = await join("24/04/1990");
  expect(joined.status).toBe(200);
  expect(joined.html).toContain(textsOf.fr.t("member.joined", { points: 250 }));
});
