import { addAuthenticator } from "../support/authenticator.ts";
import { at, expect, expectAccessible, locales, test, text } from "../support/browser.ts";
import { mailedLink } from "../support/mailbox.ts";
import { expectReflow } from "../support/measure.ts";
import { codeOf, openOffice, personOf } from "../support/office-desk.ts";
import { openTill } from "../support/till-device.ts";

/** The back office: its doors, and who works there. */
// Anyone who is not signed in, or no longer, gets 401; a proof that is too old, 403; a link that was used, 409.
test.use({ tolerated: /40[139]/ });

const t = (id: string, values = {}) => text("fr", id, values);

test("from the sandbox's page one press opens the back office as one of its people", async ({ page, context }) => {
  const { Name } = await personOf(context, "service");
  await page.goto("/sandbox/office");
  await page.getByRole("button", { name: t("sandbox.office.as", { name: Name }) }).click();
  await expect(page.getByRole("link", { name: Name })).toBeVisible();
});

test("by the keyboard alone: wrong code, right code, the menu, signing out", async ({ page, context }) => {
  const { Email, Password, Code, Name } = await personOf(context, "marketing");
  await page.goto("/office");
  await expect(page.getByRole("heading", { name: t("office.signIn.title") })).toBeVisible();
  await expectAccessible(page, "sign-in");
  const type = async (code: string) => {
    await page.getByLabel(t("office.email")).focus();
    await page.keyboard.type(Email);
    for (const words of [Password, code]) {
      await page.keyboard.press("Tab");
      await page.keyboard.type(words);
    }
    await page.keyboard.press("Enter");
  };
  await type(Code === "000000" ? "000001" : "000000");
  await expect(page.getByRole("alert")).toBeFocused();
  await expect(page.getByRole("alert")).toHaveText(t("refusal.wrong_office_login"));
  await expect(page.getByLabel(t("office.email"))).toHaveValue(Email);
  await page.reload();
  await type(Code);
  await expect(page.getByRole("link", { name: Name })).toBeVisible();
  // Marketing has no module about people.
  await page.goto("/office/team");
  await expect(page.getByRole("alert")).toHaveText(t("refusal.forbidden"));
  await page.getByRole("button", { name: t("office.signOut") }).press("Enter");
  await expect(page.getByLabel(t("office.password"))).toBeVisible();
});

test("an invitation, a passkey, and an end that works at once", async ({ context, browser }) => {
  const owner = await openOffice(context, "owner", "/office/team");
  await expectAccessible(owner, "staff");
  await expectReflow(owner, "staff");
  const email = `nora.${Date.now()}@cercle.example`;
  await owner.getByRole("button", { name: t("office.team.invite") }).click();
  const panel = owner.getByRole("dialog", { name: t("office.team.inviteTitle") });
  await panel.getByRole("button", { name: t("office.team.inviteAction") }).click();
  await expect(panel.getByText(t("field.required")).first()).toBeVisible();
  const { Email: colleague } = await personOf(context, "marketing");
  await panel.getByLabel(t("office.email")).fill(colleague);
  await panel.getByLabel(t("office.firstname")).fill("Nora");
  await panel.getByLabel(t("office.lastname"), { exact: true }).fill("Petit");
  // A colleague's address: said beside the field, and the colleague stays as they are.
  await panel.getByRole("button", { name: t("office.team.inviteAction") }).click();
  await expect(panel.getByText(t("field.colleague"))).toBeVisible();
  await expectAccessible(owner, "inviting");
  await panel.getByLabel(t("office.email")).fill(email);

  // The proof is too old: it is asked for, and what was typed stays.
  const tooOld = { status: 403, json: { code: "proof_needed", detail: "", status: 403 } };
  await owner.route("**/api/office/staff/invite", (route) => route.fulfill(tooOld), { times: 1 });
  await panel.getByRole("button", { name: t("office.team.inviteAction") }).click();
  const proof = owner.getByRole("dialog", { name: t("office.proof.title") });
  await expectAccessible(owner, "a fresh proof");
  await expect(async () => {
    const { Password, Code } = await personOf(context, "owner");
    await proof.getByLabel(t("office.password")).fill(Password);
    await proof.getByLabel(t("office.code")).fill(Code);
    await proof.getByRole("button", { name: t("office.proof.submit") }).click();
    await expect(proof).toBeHidden({ timeout: 2_000 });
  }).toPass({ intervals: [5_000], timeout: 70_000 });
  await expect(owner.getByText(t("office.team.inviteDone", { email }))).toBeVisible();

  const desk = await browser.newContext();
  const nora = await desk.newPage();
  const authenticator = await addAuthenticator(nora);
  const link = await mailedLink(context.request, email, "/office/invitation");
  await nora.goto(link);
  await nora.getByLabel(t("office.password")).fill("short");
  await nora.getByRole("button", { name: t("office.invitation.next") }).click();
  await expect(nora.getByText(t("field.staff_password_length", { staffPasswordMin: 12 }))).toBeVisible();
  await nora.getByLabel(t("office.password")).fill("sept lampes bleues");
  await nora.getByRole("button", { name: t("office.invitation.next") }).click();
  await nora.getByText(t("office.invitation.byHand")).click();
  await expectAccessible(nora, "the secret of codes");
  const secret = (await nora.locator(".office-secret").textContent()) ?? "";
  await nora.getByLabel(t("office.code")).fill(codeOf(secret));
  await nora.getByRole("button", { name: t("office.invitation.open") }).click();
  await expect(nora.getByRole("heading", { name: "Nora Petit" })).toBeVisible();
  expect(nora.url()).not.toContain("token");

  await nora.getByRole("button", { name: t("office.me.add") }).click();
  await expect(nora.getByRole("row")).toHaveCount(2);
  expect(await authenticator.credentials()).toHaveLength(1);
  await expectAccessible(nora, "passkeys");
  await nora.getByRole("button", { name: t("office.signOut") }).click();
  await nora.getByRole("button", { name: t("office.passkey.use") }).click();
  await expect(nora.getByRole("heading", { name: "Nora Petit" })).toBeVisible();

  await owner.reload();
  await owner.getByRole("button", { name: `${t("office.team.end")}, Nora Petit` }).click();
  await owner.getByRole("button", { name: t("office.team.endAction"), exact: true }).click();
  await expect(owner.getByText(t("office.team.endDone", { name: "Nora Petit" }))).toBeVisible();
  await nora.reload();
  await expect(nora.getByLabel(t("office.password"))).toBeVisible();
  await nora.goto(link);
  await expect(nora.getByRole("heading", { name: t("office.invitation.ended") })).toBeVisible();
  await expect(nora.getByRole("navigation", { name: t("office.language") })).toBeVisible();
  await expectAccessible(nora, "an invitation that was used");
  await nora.getByRole("link", { name: t("office.signIn.submit") }).click();
  await expect(nora.getByLabel(t("office.password"))).toBeVisible();

  await owner.getByRole("link", { name: t("office.menu.audit") }).click();
  await expect(owner.getByRole("row", { name: t("office.action.staff_ended") }).first()).toContainText("Paul Rivière");
  await expectAccessible(owner, "audit log");
  await desk.close();
});

test("in three languages the sign-in and its words fit a phone, and the customers' pages load nothing of it", async ({
  page,
}) => {
  for (const locale of locales) {
    await page.goto(at(locale, "/office"));
    await expect(page.getByRole("button", { name: text(locale, "office.signIn.submit") })).toBeVisible();
    await expectAccessible(page, "sign-in");
    await expectReflow(page, "sign-in");
  }
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto("/authenticate/login", { waitUntil: "networkidle" });
  expect(loaded.filter((path) => /office/.test(path))).toEqual([]);
});

test("head office sees who looked up a customer by address, in three languages, on a phone and on a desk", async ({
  context,
  browser,
}) => {
  const { till } = await openTill(context);
  const email = `${crypto.randomUUID()}@exemple.fr`;
  const headers = { "sec-fetch-site": "same-origin" };
  await context.request.post("/api/till/join", {
    form: { Email: email, Firstname: "Élise", Lastname: "Cherchée", LanguageIsoCode: "fr" },
    headers,
  });
  const found = await context.request.post("/api/till/identify", { form: { Email: email }, headers });
  expect(found.status()).toBe(200);
  await till.close();
  const desk = await browser.newContext();
  for (const locale of locales) {
    const page = await openOffice(desk, "owner", "/office/look-ups", locale);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const people = page.getByRole("table", { name: text(locale, "office.lookUps.people") });
      await expect(people.locator("tbody").getByRole("row")).not.toHaveCount(0);
      await expect(page.getByRole("table", { name: text(locale, "office.lookUps.keys") })).toContainText("Caisse 2");
      await expectAccessible(page, `look-ups, ${locale}, ${width} px`);
    }
    await expectReflow(page, `look-ups, ${locale}`);
    await page.getByRole("link", { name: text(locale, "office.report.before") }).click();
    await expect(page.getByText(text(locale, "office.lookUps.none")).first()).toBeVisible();
    await page.close();
  }
  await desk.close();
});
