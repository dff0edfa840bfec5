import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { countSegment, listSegments, saveSegment } from "#office/segments/calls.ts";
import { accept, button, onCall, openPage, spoken, t } from "#testing/browser/open-page.tsx";
import { FormContext, staffForms } from "#ui/form/form.tsx";
import { loadSegments, Segments } from "./segments.tsx";
import "#office/screen/office.css";

const reach = { Reachable: 90_000, NoConsent: 60_000, Blocked: 0 };

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
  await openPage(route);
  const focused = () => document.activeElement;
  /** Moves on until a control of this name has the focus. */
  const tabTo = async (name: string) => {
    for (let n = 0; n < 40; n += 1) {
      const label = (focused() as HTMLInputElement | null)?.labels?.[0]?.textContent ?? focused()?.textContent;
      if (label === name) return;
      await userEvent.keyboard("{Tab}");
    }
    throw new Error(`No way to ${name}`);
  };
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
