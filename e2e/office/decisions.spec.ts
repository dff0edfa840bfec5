import { randomBytes } from "node:crypto";
import type { BrowserContext } from "@playwright/test";
import { expect, expectAccessible, test, text } from "../support/browser.ts";
import { expectReflow } from "../support/measure.ts";
import { openOffice } from "../support/office-desk.ts";

/** The back office: what a second person decides, what a failure says, and where the keyboard is afterwards. */
test.use({ tolerated: /40[0349]|500/ });

const t = (id: string, values = {}) => text("fr", id, values);
const headers = { "sec-fetch-site": "same-origin" };

/** Members of one family name; for each, a person of customer service has asked for the account to be erased. */
async function askErasures(context: BrowserContext, lastname: string, names: readonly string[]) {
  const page = await openOffice(context, "service");
  for (const Firstname of names) {
    const Email = `${randomBytes(6).toString("hex")}@exemple.fr`;
    const form = { Email, Password: "Secret-2026", Firstname, Lastname: lastname, Birthday: "1990-05-17" };
    const joined = await context.request.post("/api/customer", { form, headers });
    const { AuthData } = await joined.json();
    const asked = await context.request.post("/api/office/customer/erase", {
      form: { IdCustomer: String(AuthData.Customer.IdCustomer), Reason: "request" },
      headers: { ...headers, "idempotency-key": crypto.randomUUID() },
    });
    expect(asked.status()).toBe(200);
  }
  return page;
}

test("an approval is asked once more; what was decided takes the focus, and an old refusal goes", async ({
  browser,
}) => {
  const lastname = `Aubin${randomBytes(3).toString("hex")}`;
  const asker = await askErasures(await browser.newContext(), lastname, ["Ada", "Bea", "Cleo"]);
  const owner = await openOffice(await browser.newContext(), "owner", "/office/approvals");
  const late = await openOffice(await browser.newContext(), "owner", "/office/approvals");
  const [approve, decline] = [t("office.approvals.approve"), t("office.approvals.decline")];
  const press = (page: typeof owner, words: string, name: string) =>
    page.getByRole("button", { name: new RegExp(`^${words}, ${name} ${lastname}`) }).press("Enter");
  const ada = owner.getByRole("row", { name: new RegExp(`Ada ${lastname}`) });

  await press(owner, approve, "Ada");
  const asking = owner.getByRole("dialog");
  await expect(asking).toContainText(t("office.doText.eraseNow"));
  await expectAccessible(owner, "approving");
  await owner.keyboard.press("Escape");
  await expect(ada).toBeVisible();
  await expect(owner.getByRole("button", { name: new RegExp(`^${approve}, Ada`) })).toBeFocused();
  await press(owner, approve, "Ada");
  await asking.getByRole("button", { name: approve }).press("Enter");
  await expect(owner.getByRole("status")).toHaveText(t("office.approvals.approved"));
  await expect(owner.getByRole("status")).toBeFocused();
  await expect(ada).toBeHidden();

  // Another person comes later with the same.
  await press(owner, decline, "Bea");
  await expect(owner.getByRole("status")).toHaveText(t("office.approvals.declined"));
  await press(late, decline, "Bea");
  await expect(late.getByRole("alert")).toHaveText(t("refusal.already_decided"));
  await press(late, decline, "Cleo");
  await expect(late.getByRole("status")).toHaveText(t("office.approvals.declined"));
  await expect(late.getByRole("alert")).toBeHidden();

  // Who asked reads what became of it, and the menu says what waits for them, anew with each page.
  let waiting = 2;
  await asker.route("**/api/office/session", async (route) => {
    const session = await (await route.fetch({ maxRetries: 2 })).json();
    await route.fulfill({ json: { ...session, Waiting: { Requests: waiting, Campaigns: 0, Drafts: 0 } } });
  });
  await asker.reload();
  const requests = (words: string) =>
    asker.getByRole("link", { name: `${t("office.menu.approvals")} ${words}`, exact: true });
  await requests("2 attendent votre décision").click();
  waiting = 1;
  await asker.getByRole("link", { name: t("office.menu.customers") }).click();
  await requests("1 attend votre décision").click();
  await asker.getByRole("link", { name: t("office.approvals.show.decided") }).click();
  const outcome = (state: string) => t(`office.approvals.is.${state}`);
  const bea = asker.getByRole("row", { name: new RegExp(`${outcome("declined")}.*Bea ${lastname}`) });
  await expect(bea).toContainText(t("office.approvals.mine"));
  const erased = asker.getByRole("row", {
    name: new RegExp(`${outcome("approved")}.*${t("office.approvals.erased")}`),
  });
  await expect(erased.first()).toContainText(t("office.request.erase"));
  await expect(asker.getByText(`Ada ${lastname}`)).toBeHidden();
  await expectAccessible(asker, "decided requests");
  await expectReflow(asker, "decided requests");
});

test("a failure that a row's button met is said, and no page offers to try what cannot succeed", async ({
  context,
  browser,
}) => {
  const owner = await openOffice(context, "owner", "/office");
  await owner.route(
    ({ pathname }) => pathname === "/api/office/staff",
    async (route) => {
      const list = await (await route.fetch({ maxRetries: 2 })).json();
      for (const person of list.Staff) person.Locked = true;
      await route.fulfill({ json: list });
    },
  );
  // Where what waits cannot be read, the page is shown all the same, and the menu beside it.
  await owner.route("**/api/office/session", (route) => route.abort(), { times: 1 });
  await owner.getByRole("link", { name: t("office.menu.team") }).click();
  await owner.route("**/api/office/staff/unlock", (route) => route.abort(), { times: 1 });
  await owner
    .getByRole("button", { name: new RegExp(`^${t("office.team.unlock")}, `) })
    .first()
    .click();
  await expect(owner.getByRole("alert")).toHaveText(t("office.network"));

  // Where nothing is known of who is there, the frame is the sign-in's; the page that comes at last has the focus.
  await owner.route("**/api/office/session", (route) => route.abort(), { times: 1 });
  await owner.reload();
  await expect(owner.getByRole("navigation", { name: t("office.language") })).toBeVisible();
  await owner.getByRole("button", { name: t("office.retry") }).press("Enter");
  await expect(owner.getByRole("heading", { name: t("office.menu.team") })).toBeVisible();
  await expect(owner.getByRole("main")).toBeFocused();

  await owner.goto("/office/shop?id=1&day=2026-02-31");
  await expect(owner.getByRole("heading", { name: t("office.notFound.title") })).toBeVisible();
  const shop = await openOffice(await browser.newContext(), "shop", "/office/team");
  await expect(shop.getByRole("alert")).toHaveText(t("refusal.forbidden"));
  await expect(shop.getByRole("button", { name: t("office.retry") })).toBeHidden();
  await shop.getByRole("link", { name: t("office.notFound.back") }).click();
  await expect(shop.getByRole("heading", { name: t("office.report.title") })).toBeVisible();
});

test("a panel gives the focus back, and a pairing code is where the keyboard is", async ({ context }) => {
  const page = await openOffice(context, "shop");
  const pair = page.getByRole("button", { name: t("office.tills.pair") });
  await pair.press("Enter");
  await page.keyboard.press("Escape");
  await expect(pair).toBeFocused();
  await pair.press("Enter");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: t("office.tills.makeCode") })
    .press("Enter");
  await expect(page.locator(".office-code")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(pair).toBeFocused();
});

test("the time of a sale is corrected in Paris time, wherever the browser is", async ({ browser }) => {
  const page = await openOffice(await browser.newContext({ timezoneId: "America/New_York" }), "owner", "/office");
  const waiting = {
    ...{ IdCustomer: 7, Customer: "Camille L." },
    ...{ IdShop: 1, ShopName: "Cercle Marais", Kind: "clock", Reason: "clock_in_future", ReceiptNumber: "V-2" },
    ...{ OriginalReceiptNumber: null, At: "2026-07-03T12:00:00.000Z", Amount: "12.50", Points: null },
  };
  await page.route(
    ({ pathname }) => pathname === "/api/office/conflict",
    (route) => route.fulfill({ json: { Conflicts: [waiting], NextCursor: null } }),
  );
  let sent = "";
  await page.route("**/api/office/conflict/clock", (route) => {
    sent = decodeURIComponent(route.request().postData() ?? "");
    return route.abort();
  });
  await page.getByRole("link", { name: t("office.menu.shops") }).click();
  await page.getByRole("button", { name: `${t("office.conflict.decide")}, V-2` }).click();
  const panel = page.getByRole("dialog");
  await expect(panel.getByRole("link", { name: "Camille L." })).toHaveAttribute("href", /customer\?id=7$/);
  await expect(panel).toContainText("12,50");
  await panel.getByLabel(t("office.conflict.correct")).check();
  await panel.getByLabel(t("office.conflict.soldAt"), { exact: true }).fill("2026-07-02T10:30");
  await panel.getByLabel(t("office.conflict.reason")).fill("Caisse en avance");
  await panel.getByRole("button", { name: t("office.conflict.correct_action") }).click();
  await expect(panel.getByRole("alert")).toHaveText(t("office.network"));
  expect(sent).toContain("2026-07-02T08:30:00.000Z");
});

test("a campaign is refused by a colleague, or withdrawn by who proposed it; neither looks as if it had run", async ({
  browser,
}) => {
  const marketing = await browser.newContext();
  const page = await openOffice(marketing, "marketing");
  const mark = randomBytes(3).toString("hex");
  for (const name of [`Refus ${mark}`, `Retrait ${mark}`]) {
    const words = { NameFr: name, NameEn: name, NameDe: name, TextFr: "Plus", TextEn: "More", TextDe: "Mehr" };
    const days = { From: "2099-12-01", To: "2099-12-24" };
    const added = await marketing.request.post("/api/office/campaign", {
      form: { ...words, ...days, ExtraPoints: "5", MinimumAmount: "90000" },
      headers: { ...headers, "idempotency-key": crypto.randomUUID() },
    });
    expect(added.status()).toBe(200);
  }
  const owner = await openOffice(await browser.newContext(), "owner", "/office/campaigns");
  const decline = t("office.approvals.decline");
  await owner.getByRole("button", { name: `${decline}, Refus ${mark}` }).click();
  await owner.getByRole("dialog").getByRole("button", { name: decline }).click();
  await expect(owner.getByRole("status")).toHaveText(t("office.campaigns.refuseDone"));
  await page.getByRole("link", { name: t("office.menu.campaigns") }).click();
  const refused = page.getByRole("row", { name: new RegExp(`Refus ${mark}`) });
  await expect(refused).toContainText(t("office.campaigns.refused"));
  await expect(refused).toContainText("24");
  const withdraw = t("office.campaigns.withdraw");
  await page.getByRole("button", { name: `${withdraw}, Retrait ${mark}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: withdraw }).click();
  await expect(page.getByRole("row", { name: new RegExp(`Retrait ${mark}`) })).toContainText(
    t("office.campaigns.withdrawn"),
  );
});
