import { randomBytes } from "node:crypto";
import type { APIRequestContext } from "@playwright/test";
import { expect, expectAccessible, test, text } from "../support/browser.ts";
import { expectReflow } from "../support/measure.ts";
import { openOffice } from "../support/office-desk.ts";

/** The back office: finding a customer, giving points, and the second person. */
test.use({ tolerated: /40[139]/ });

const t = (id: string, values = {}) => text("fr", id, values);
/** "Ajouter 120 points": the button says what happens. */
const adds = (count: number) => new RegExp(`^${t("office.adjust.add")} ${count} points$`);

/** A person who has just joined the club on the web. */
async function addMember(request: APIRequestContext, Firstname: string) {
  const Email = `${randomBytes(6).toString("hex")}@exemple.fr`;
  const form = { Email, Password: "Secret-2026", Firstname, Lastname: "Rivoire", Birthday: "1990-05-17" };
  const joined = await request.post("/api/customer", {
    form: { ...form, LoyaltySubscribe: "true" },
    headers: { "sec-fetch-site": "same-origin" },
  });
  const { AuthData } = await joined.json();
  return { email: Email, id: Number(AuthData.Customer.IdCustomer), token: String(AuthData.Token) };
}

test("points are given at once within the limit; beyond it only somebody else approves", async ({ browser }) => {
  const [one, two] = [await browser.newContext(), await browser.newContext()];
  const member = await addMember(one.request, "Apolline");
  const service = await openOffice(one, "service");
  await service.keyboard.press("/");
  await service.keyboard.type("rivoire apoll");
  await service.keyboard.press("Enter");
  await service.getByRole("link", { name: "Rivoire Apolline" }).click();
  await expect(service.getByRole("heading", { name: "Apolline Rivoire" })).toBeVisible();
  await expectAccessible(service, "a record");

  const open = () => service.getByRole("button", { name: t("office.adjust.title") }).click();
  const panel = service.getByRole("dialog", { name: t("office.adjust.title") });
  await open();
  await panel.getByRole("button", { name: adds(100) }).click();
  await expect(panel.getByText(t("field.required"))).toBeVisible();
  await panel.getByLabel(t("office.adjust.points")).fill("120");
  await panel.getByLabel(t("office.reads.fr", { name: "Apolline" })).fill("Un geste pour votre livraison");
  await expect(panel.getByText("370 points, soit 10")).toBeVisible();
  await expectAccessible(service, "adjusting points");
  await panel.getByRole("button", { name: adds(120) }).dblclick();
  await expect(service.getByText("Le solde est de 370 points.")).toBeVisible();
  await expect(service.getByRole("row", { name: /Un geste pour votre livraison/ })).toHaveCount(1);

  await open();
  await panel.getByLabel(t("office.adjust.points")).fill("300");
  await panel.getByLabel(t("office.reads.fr", { name: "Apolline" })).fill("Pour la robe");
  await panel.getByRole("button", { name: t("office.adjust.ask") }).click();
  await expect(service.getByText(t("office.adjust.asked"))).toBeVisible();
  await service.getByRole("link", { name: t("office.customer.seeRequests") }).click();
  const asked = service.getByRole("row", { name: /Apolline/ });
  await expect(asked.getByText(t("office.approvals.mine"))).toBeVisible();
  // The author may withdraw it, and nothing else.
  await expect(asked.getByRole("button")).toHaveCount(1);
  await expect(asked.getByRole("button", { name: t("office.approvals.withdraw") })).toBeVisible();

  const owner = await openOffice(two, "owner", "/office/approvals");
  await expectAccessible(owner, "requests");
  const approve = owner.getByRole("button", { name: new RegExp(`${t("office.approvals.approve")}, Apolline`) });
  await approve.click();
  const asking = owner.getByRole("dialog", { name: t("office.approvals.confirm") });
  await asking.getByRole("button", { name: t("office.approvals.approve") }).click();
  await expect(owner.getByText(t("office.approvals.approved"))).toBeVisible();
  await owner.goto(`/office/customer?id=${member.id}&show=points`);
  await expect(owner.locator(".office-metrics .metric").first()).toContainText("670");
  const history = await one.request.get("/api/loyalty/history", {
    headers: { authorization: `Bearer ${member.token}` },
  });
  expect((await history.json()).Entries[0]).toMatchObject({ Label: "Pour la robe", Points: 300 });
});

test("a customer's details are corrected in one panel; the timeline says what they were", async ({ context }) => {
  const member = await addMember(context.request, "Anaelle");
  const page = await openOffice(context, "service", `/office/customer?id=${member.id}`);
  const open = async () => {
    await page.getByText(t("office.customer.more")).click();
    await page.getByRole("button", { name: t("office.correct.title") }).click();
  };
  await open();
  const panel = page.getByRole("dialog", { name: t("office.correct.title") });
  await expectAccessible(page, "correcting a customer");
  await panel.getByLabel(t("office.firstname")).fill("Anaëlle");
  await panel.getByLabel(t("office.customer.phone")).fill("06 12 34 56 78");
  await panel.getByLabel(t("office.correct.sms")).selectOption("true");
  await panel.getByLabel(t("office.correct.source")).selectOption("paper");
  await panel.getByRole("button", { name: t("office.correct.action") }).click();
  await expect(page.getByText(t("office.correct.done.none"))).toBeVisible();
  await expect(page.getByRole("heading", { name: "Anaëlle Rivoire" })).toBeVisible();
  await expect(page.getByText(/Anaelle → Anaëlle/)).toBeVisible();
});

test("one person asks for a merge, another looks at what it does and approves; the list is saved as a file", async ({
  browser,
  context,
}) => {
  const [survivor, other] = [
    await addMember(context.request, "Bérénice"),
    await addMember(context.request, "Berenice"),
  ];
  const page = await openOffice(context, "owner", `/office/customer?id=${survivor.id}`);
  await page.getByText(t("office.customer.more")).click();
  await page.getByRole("button", { name: t("office.do.merge") }).click();
  const panel = page.getByRole("dialog", { name: t("office.do.merge") });
  await panel.getByLabel(t("office.merge.other")).first().fill(other.email);
  await panel.getByRole("button", { name: t("office.merge.find") }).click();
  await panel.getByRole("radio").check();
  // Both are confirmed or neither: what differs is chosen, here the other's name.
  const name = panel.getByRole("group", { name: t("office.merge.field.name") });
  await expect(name.getByRole("radio", { name: "Bérénice" })).toBeChecked();
  await name.getByRole("radio", { name: "Berenice" }).check();
  await expect(name.getByRole("radio", { name: "Berenice" })).toBeChecked();
  await expect(panel.getByRole("row", { name: t("office.merge.gift") })).toContainText("250");
  await expectAccessible(page, "merging");
  await panel.getByRole("button", { name: t("office.merge.action") }).click();
  await expect(page.getByText(t("office.merge.asked"))).toBeVisible();
  await expect(page.getByText(t("office.request.merge", { name: "Berenice Rivoire" }))).toBeVisible();

  const second = await openOffice(await browser.newContext(), "service", "/office/approvals");
  const approve = t("office.approvals.approve");
  await second.getByRole("button", { name: new RegExp(`${approve}, Bérénice`) }).click();
  const plan = second.getByRole("dialog", { name: t("office.do.merge") });
  await expect(plan.getByText(other.email).first()).toBeVisible();
  await expect(plan.getByText(survivor.email).first()).toBeVisible();
  await expect(plan.getByRole("group", { name: t("office.merge.field.name") })).toContainText("Berenice");
  await expect(plan.getByRole("row", { name: t("office.merge.gift") })).toContainText("250");
  await expectAccessible(second, "approving a merge");
  await plan.getByRole("button", { name: approve }).click();
  await expect(second.getByText(t("office.merge.done"))).toBeVisible();
  await page.reload();
  await expect(page.getByText("Un autre compte a rejoint celui-ci")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Berenice Rivoire" })).toBeVisible();
  await page.setViewportSize({ width: 768, height: 900 });
  await expectReflow(page, "a record");

  await page.goto("/office/customers?search=rivoire");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: t("office.csv") }).click();
  expect((await download).suggestedFilename()).toBe("customers.csv");
});
