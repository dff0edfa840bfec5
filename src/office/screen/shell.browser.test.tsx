import { createRoot } from "react-dom/client";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { button, t, textsOf } from "#testing/browser/open-page.tsx";
import { Office } from "./shell.tsx";
import "./office.css";

const session = { Firstname: "Paul", Lastname: "Rivière", Role: "owner", Waiting: {} };
const Page = () => (
  <>
    <p>6 455 points</p>
    <button type="button">{t("office.retry")}</button>
  </>
);

test("offline the page stays with the time it was read, and nothing in it can be pressed until the network is back", async () => {
  const route = { id: "office", path: "/", Component: Office, loader: () => session, HydrateFallback: () => null };
  const router = createMemoryRouter([{ ...route, children: [{ index: true, Component: Page }] }]);
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <TextsProvider texts={textsOf.fr}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
  await expect.element(button(t("office.retry"))).toBeEnabled();
  const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  dispatchEvent(new Event("offline"));
  await expect.element(page.getByText(/^Hors ligne\. Chiffres de \d\d:\d\d/)).toBeVisible();
  await expect.element(page.getByText("6 455 points")).toBeVisible();
  await expect.element(button(t("office.retry"))).toBeDisabled();
  onLine.mockRestore();
  dispatchEvent(new Event("online"));
  await expect.element(button(t("office.retry"))).toBeEnabled();
  root.unmount();
});
