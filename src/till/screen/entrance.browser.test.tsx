import type { ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { t, textsOf } from "#testing/open-page.tsx";
import { Pairing } from "./pairing.tsx";

let root: Root;
const server = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.stubGlobal("fetch", server);
  server.mockReset();
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

const show = (screen: ReactNode) => root.render(<TextsProvider texts={textsOf.fr}>{screen}</TextsProvider>);

test("while a device is being paired the button says so, until the till is there", async () => {
  let finish = () => {};
  const onPaired = () =>
    new Promise<void>((resolve) => {
      finish = resolve;
    });
  server.mockResolvedValue(Response.json({}));
  show(<Pairing revoked={false} onPaired={onPaired} />);
  await page.getByLabelText(t("till.pair.code")).fill("BCDFGHJK");
  await userEvent.keyboard("{Enter}");
  const busy = page.getByRole("button", { name: t("till.working") });
  await expect.element(busy).toHaveAttribute("aria-disabled", "true");
  finish();
  await expect.element(page.getByRole("button", { name: t("till.pair.submit") })).toBeVisible();
});
