import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { countSegment, listSegments, saveSegment } from "#office/segments/calls.ts";
import { accept, button, onCall, openPage, spoken, t } from "#testing/browser/open-page.tsx";
import { FormContext, staffForms } from "#ui/form/form.tsx";
import { loadSegments, Segments } from "./segments.tsx";
import "#office/screen/office.css";

const reach = { Reachable: 90_000, NoConsent: 60_000, Blocked: 0 };

const route = {
  // The session is read from the route of this name.
  id: "office",
  Component: () => (
    <FormContext value={staffForms}>
      <Segments />
    </FormContext>
  ),
  loader: async () => ({ ...(await loadSegments()), Role: "marketing" }),
};

/** Moves on until a control of this name has the focus. */
const tabTo = async (name: string) => {
  const focused = () => document.activeElement;
  for (let n = 0; n < 40; n += 1) {
    const label = (focused() as HTMLInputElement | null)?.labels?.[0]?.textContent ?? focused()?.textContent;
    if (label === name) return;
    await userEvent.keyboard("{Tab}");
  }
  throw new Error(`No way to ${name}`);
};

test("a segment is built by keyboard alone, and says about how many it finds and why some may not be written to", async () => {
  const choices = { Tiers: [], Shops: [{ IdShop: 3, Name: "Marais" }], Codes: [] };
  onCall(listSegments, accept<typeof listSegments>({ Segments: [], ...choices }));
  const counted = onCall(
    countSegment,
    accept<typeof countSegment>({
      ...{ Members: 150_000, Estimated: true },
      ...{ Email: { ...reach, Unconfirmed: 250 }, Sms: { ...reach, NoPhone: 0 } },
    }),
  );
  const saved = onCall(saveSegment, accept<typeof saveSegment>({ IdSegment: 1, Version: 1 }));
  await openPage(route);
  await tabTo(t("office.segments.add"));
  await userEvent.keyboard("{Enter}");
  await expect.element(button(t("office.segments.save"))).toBeVisible();
  await tabTo(t("office.programme.name"));
  await userEvent.keyboard("Sans achat");
  await tabTo(t("office.segments.fact", { number: 1 }));
  await userEvent.keyboard("Nombre d");
  await tabTo(t("office.segments.max"));
  await userEvent.keyboard("0");
  await tabTo(t("office.segments.days"));
  await userEvent.keyboard("180");
  await tabTo(t("office.segments.shop"));
  await userEvent.keyboard("Marais");
  await expect.element(page.getByRole("heading", { level: 2 })).toBeVisible();
  expect(spoken(page.getByRole("heading", { level: 2 }).element().textContent ?? "")).toBe(
    `150 000 membres (${t("office.segments.estimated")})`,
  );
  await expect.element(page.getByText(t("office.segments.noConsent"))).toBeVisible();
  const definition = { all: [{ fact: "purchases", max: 0, days: 180, shopId: 3 }] };
  expect(JSON.parse(counted.at(-1)?.fields["Definition"] ?? "")).toEqual(definition);
  (document.activeElement as HTMLElement).blur();
  await tabTo(t("office.segments.save"));
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => saved.map(({ fields }) => fields["Name"])).toEqual(["Sans achat"]);
});

test("a condition about a list takes several choices, by keyboard too", async () => {
  const tiers = ["Flanelle", "Velours", "Cachemire"].map((Name, n) => ({ IdLoyaltyTier: n + 1, Name }));
  const Segments = [
    {
      ...{ IdSegment: 1, Name: "Fidèles", Version: 1, Sends: false },
      ...{ SavedBy: "Lou Garnier", SavedAt: "2026-03-10T10:00:00.000Z" },
      Definition: { all: [{ fact: "status" as const, in: ["1", "3"] }] },
    },
  ];
  onCall(listSegments, accept<typeof listSegments>({ Segments, Tiers: tiers, Shops: [], Codes: [] }));
  const Reach = { Members: 0, Estimated: false, Email: { ...reach, Unconfirmed: 0 }, Sms: { ...reach, NoPhone: 0 } };
  onCall(countSegment, accept<typeof countSegment>(Reach));
  const saved = onCall(saveSegment, accept<typeof saveSegment>({ IdSegment: 1, Version: 2 }));
  await openPage(route);
  await page.getByRole("button", { name: t("office.segments.edit") }).click();
  const status = page.getByRole("group", { name: t("office.segments.fact.status") });
  await expect.element(status.getByLabelText("Flanelle")).toBeChecked();
  await expect.element(status.getByLabelText("Velours")).not.toBeChecked();
  await expect.element(status.getByLabelText("Cachemire")).toBeChecked();
  await tabTo("Flanelle");
  await userEvent.keyboard(" ");
  await tabTo("Velours");
  await userEvent.keyboard(" ");
  (document.activeElement as HTMLElement).blur();
  await tabTo(t("office.segments.save"));
  await userEvent.keyboard("{Enter}");
  await expect
    .poll(() => saved.map(({ fields }) => JSON.parse(fields["Definition"] ?? "")).at(-1))
    .toEqual({ all: [{ fact: "status", in: ["3", "2"] }] });
});
