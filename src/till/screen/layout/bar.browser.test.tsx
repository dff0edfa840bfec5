import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { textsOf } from "#testing/browser/open-page.tsx";
import type { TillState } from "#till/screen/till-state.ts";
import { Bar } from "./bar.tsx";
import "./till.css";

const state: TillState = {
  ...{ Paired: true, Revoked: false, IdShop: 1, ShopName: "Les Docks", ShopCity: "Châlons-en-Champagne" },
  ...{
    TillName: "Caisse 12",
    Staff: [],
    SignedIn: { IdStaff: 2, Name: "Alix M." },
    IdleSeconds: 180,
    FormerCodes: false,
  },
};

test("the till's name stays whole in the bar, whatever the city and whatever waits; the menu has shop, city and till", async () => {
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  const act = () => ({ onEnter: vi.fn(), onCamera: vi.fn(), onQueue: vi.fn(), onLock: vi.fn(), onUnpair: vi.fn() });
  const bar = (waiting: number, refused: number) => (
    <TextsProvider texts={textsOf.fr}>
      <Bar {...act()} {...{ state, waiting, refused, online: false, notice: undefined, onFailure: vi.fn() }} />
    </TextsProvider>
  );
  document.body.className = "till";
  for (const width of [390, 768, 820, 1024, 1280])
    for (const [waiting = 0, refused = 0] of [[], [1], [2, 1]]) {
      await page.viewport(width, 600);
      flushSync(() => root.render(bar(waiting, refused)));
      const place = page.getByText("Caisse 12").first();
      await expect.element(place).toBeVisible();
      const name = place.element();
      expect.soft(name.scrollWidth, `${width}, ${waiting}, ${refused}`).toBe(name.clientWidth);
      const { top, bottom } = name.parentElement?.getBoundingClientRect() ?? new DOMRect();
      expect.soft(name.getBoundingClientRect().top).toBeGreaterThanOrEqual(top - 1);
      expect.soft(name.getBoundingClientRect().bottom).toBeLessThanOrEqual(bottom + 1);
      expect.soft(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    }
  await page.getByRole("button", { name: "Alix M." }).click();
  await expect.element(page.getByRole("dialog")).toHaveTextContent("Les Docks, Châlons-en-Champagne, Caisse 12");
  // An engine that makes the open menu as high as the screen must not stretch what is in it.
  const menu = page.getByRole("dialog").element() as HTMLElement;
  const heights = () => [...menu.children].map((child) => Math.round(child.getBoundingClientRect().height));
  const before = heights();
  menu.style.height = `${menu.getBoundingClientRect().height + 200}px`;
  expect(heights()).toEqual(before);
  root.unmount();
  document.body.className = "";
});
