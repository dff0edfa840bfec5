import type { ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { t, textsOf } from "#testing/browser/open-page.tsx";
import type { TillState } from "#till/screen/till-state.ts";
import { FormContext, staffForms } from "#ui/form/form.tsx";
import { Pairing } from "./pairing.tsx";
import { SignIn } from "./sign-in.tsx";

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

const show = (screen: ReactNode) =>
  root.render(
    <TextsProvider texts={textsOf.fr}>
      <FormContext value={staffForms}>{screen}</FormContext>
    </TextsProvider>,
  );

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
  const busy = page.getByRole("button", { name: t("form.working") });
  await expect.element(busy).toHaveAttribute("aria-disabled", "true");
  finish();
  await expect.element(page.getByRole("button", { name: t("till.pair.submit") })).toBeVisible();
});

const state: TillState = {
  ...{ Paired: true, Revoked: false, IdShop: 1, ShopName: "Le Marais", ShopCity: "Paris", TillName: "Caisse 2" },
  Staff: [
    { IdStaff: 1, Name: "Ada R.", Locked: true, PinMark: "", MayUnpair: false },
    { IdStaff: 2, Name: "Alix M.", Locked: false, PinMark: "", MayUnpair: false },
    { IdStaff: 3, Name: "Zoé L.", Locked: false, PinMark: "", MayUnpair: false },
  ],
  ...{ SignedIn: null, IdleSeconds: 180, FormerCodes: false },
};
/** Keys with the times at which a scanner presses them, however slow the machine is; no timer ends between two of them. */
async function scan(code: string): Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let at = performance.now();
  const times = new WeakMap<Event, number>();
  const clock = vi.spyOn(Event.prototype, "timeStamp", "get").mockImplementation(function (this: Event) {
    if (!times.has(this)) {
      at += 5;
      times.set(this, at);
    }
    return times.get(this) ?? at;
  });
  await userEvent.keyboard(`${code}{Enter}`);
  clock.mockRestore();
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
}

test("the first who may sign in has the focus, and is chosen by Enter; the PIN is typed; a scan chooses nobody and is no PIN", async () => {
  const onSignIn = vi.fn(async () => {});
  const onSignedInOffline = vi.fn();
  show(<SignIn state={state} online saleInHand={false} {...{ onSignIn, onSignedInOffline, onRetry: () => {} }} />);
  await expect.element(page.getByRole("button", { name: "Alix M." })).toHaveFocus();
  await scan("2912345678937");
  await expect.element(page.getByRole("button", { name: "Alix M." })).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByRole("heading", { name: "Alix M." })).toBeVisible();
  await scan("2912345678937");
  await expect.element(page.getByRole("img", { name: t("till.pinTyped", { count: 0 }) })).toBeInTheDocument();
  expect(onSignIn).not.toHaveBeenCalled();
  await userEvent.keyboard("482913");
  await expect.poll(() => onSignIn).toHaveBeenCalledOnce();
});
