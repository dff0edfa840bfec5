import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { button, openPage, t } from "#testing/browser/open-page.tsx";
import { ShownOnce } from "./shown-once.tsx";

test.each([390, 1440])(
  "what is shown once is closed by its own button alone, and Enter and Escape lose nothing, at %i px",
  async (width) => {
    await page.viewport(width, 844);
    const onClose = vi.fn();
    const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await openPage({
      Component: () => <ShownOnce title="PIN" note="Inès Roy" secret="482913" onClose={onClose} />,
    });
    await expect.element(button(t("office.secret.copy"))).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect.element(page.getByRole("status")).toHaveTextContent(t("office.secret.copied"));
    expect(copied).toHaveBeenCalledExactlyOnceWith("482913");
    await userEvent.keyboard("{Escape}");
    await userEvent.keyboard("{Escape}");
    await expect.element(page.getByText("482913")).toBeVisible();
    // The page behind it cannot open another panel in its place.
    expect(page.getByRole("dialog").element().matches(":modal")).toBe(true);
    expect(onClose).not.toHaveBeenCalled();
    await button(t("office.secret.done")).click();
    expect(onClose).toHaveBeenCalledOnce();
  },
);

test.each([
  ["over plain http, where there is no clipboard", undefined],
  ["where the browser refuses it", { writeText: () => Promise.reject(new DOMException("no", "NotAllowedError")) }],
])("%s, the secret is selected, to be copied by hand", async (_, clipboard) => {
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue(clipboard as unknown as Clipboard);
  await openPage({ Component: () => <ShownOnce title="PIN" note="Inès Roy" secret="482913" onClose={() => {}} /> });
  await button(t("office.secret.copy")).click();
  await expect.element(page.getByRole("status")).toHaveTextContent(t("office.secret.byHand"));
  expect(String(getSelection())).toBe("482913");
});
