import { at, expect, expectAccessible, hydrated, test, text } from "../support/browser.ts";
import { joinAs, password } from "../support/member.ts";
import { signOutOnPhone } from "../support/phone.ts";

const languages = ["fr", "en", "de"] as const;

for (const javaScriptEnabled of [true, false])
  test.describe(() => {
    test.use({ javaScriptEnabled, viewport: { width: 390, height: 844 } });
    test(`a customer signs in at the web shop with the account here, ${javaScriptEnabled ? "with" : "without"} script; both sign-outs end both sessions`, async ({
      page,
      context,
    }) => {
      const { email } = await joinAs(page, { firstname: "Camille" });
      for (const locale of languages) {
        await context.clearCookies();
        const signIn = page.getByRole("link", { name: text(locale, "sandbox.embed.signIn") });
        const signedIn = page.getByText(text(locale, "sandbox.shop.sell.signedIn", { name: "Camille Laurent" }));
        const shop = `/sandbox/shop${at(locale, "/")}`;
        await page.goto(shop);
        await signIn.click();
        if (javaScriptEnabled) await hydrated(page);
        await page.getByLabel(text(locale, "identity.email")).fill(email);
        await page.locator("[name=Password]").fill(password);
        await page.getByRole("button", { name: text(locale, "login.submit") }).click();
        await expect(signedIn).toBeVisible();
        expect(new URL(page.url()).pathname).toBe(shop);

        if (locale === "de") {
          // Signed out there, then here.
          if (javaScriptEnabled) await expectAccessible(page, "web shop, signed in");
          await page.getByRole("link", { name: text(locale, "sandbox.embed.signOut") }).click();
          await page.getByRole("button", { name: text(locale, "oidc.logout.submit") }).click();
          await expect(signIn).toBeVisible();
          await page.goto(at(locale, "/account"));
          await expect(page).toHaveURL(/authenticate\/login/);
        } else {
          // Signed out here, then there: the shop is told by a job.
          await page.goto(at(locale, "/account"));
          await signOutOnPhone(page, locale);
          await expect(page).toHaveURL(at(locale, "/"));
          await expect(async () => {
            await page.goto(shop);
            await expect(signIn).toBeVisible({ timeout: 250 });
          }).toPass();
        }
      }
    });
  });
