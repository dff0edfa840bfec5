import { randomBytes } from "node:crypto";
import { expect, hydrated, test, text } from "../support/browser.ts";
import { joinAs } from "../support/member.ts";

test("a page opened after the session ended elsewhere leads to sign-in and back", async ({ page, baseURL }) => {
  const form = {
    Email: `fin.${randomBytes(5).toString("hex")}@exemple.fr`,
    Password: "Secret-2026",
    Firstname: "Fanny",
    Lastname: "Fin",
    Birthday: "1990-04-24",
  };
  const headers = { origin: baseURL ?? "" };
  const registered = await page.request.post("/api/customer", { form, headers });
  const { Token } = (await registered.json()).AuthData;
  await page.goto("/account/informations");
  await hydrated(page);

  const bearer = { authorization: `Bearer ${Token}` };
  const { Sessions } = await (await page.request.get("/api/customer/session", { headers: bearer })).json();
  await page.request.delete(`/api/customer/session/${Sessions[0].IdSession}`, { headers: bearer });

  await page.getByRole("link", { name: text("fr", "menu.account"), exact: true }).click();
  await expect(page.getByText(text("fr", "refusal.not_signed_in"))).toBeVisible();
  await page.getByRole("link", { name: text("fr", "error.signIn"), exact: true }).click();
  await page.getByLabel(text("fr", "identity.email")).fill(form.Email);
  await page.locator("[name=Password]").fill(form.Password);
  await page.getByRole("button", { name: text("fr", "login.submit") }).click();
  await expect(page).toHaveURL("/account");
  await expect(page.getByRole("heading", { name: text("fr", "account.hello", { name: "Fanny" }) })).toBeVisible();
});

test.describe("a page of the account that the browser has kept whole", () => {
  // Asked who is signed in, the API answers that no one is, or cannot be reached.
  test.use({ tolerated: /401|ERR_FAILED/ });

  test("is shown again to the same customer, and to no one after signing out, also when the API cannot be reached", async ({
    page,
    context,
  }) => {
    await joinAs(page, { firstname: "Fanny" });
    const cookies = await context.cookies();
    const [main, hello] = [page.locator("main"), text("fr", "account.hello", { name: "Fanny" })];
    const move = (name: "pagehide" | "pageshow") =>
      page.evaluate((type) => void dispatchEvent(new PageTransitionEvent(type, { persisted: true })), name);
    for (const reached of [true, false]) {
      await context.addCookies(cookies);
      await page.goto("/account");
      await hydrated(page);
      await move("pagehide");
      await expect(main).toBeHidden();
      await move("pageshow");
      await expect(page.getByRole("heading", { name: hello })).toBeVisible();

      await move("pagehide");
      await context.clearCookies({ name: "auth.token" });
      if (!reached) await page.route("/api/customer", (route) => route.abort());
      await move("pageshow");
      await expect(page).toHaveURL(/authenticate\/login/);
    }
  });
});
