import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openPage, t } from "#testing/browser/open-page.tsx";
import { Field } from "#ui/form/field.tsx";
import "#office/screen/office.css";
import "#office/metrics/screen/metrics.css";

test("a day that is typed where the browser has no picker is ten characters, as 2026-11-17", async () => {
  await openPage({ Component: () => <Field name="day" type="date" label={t("office.audit.day")} /> });
  const field = page.getByLabelText(t("office.audit.day"));
  await expect.element(field).toBeVisible();
  await expect.element(field).toHaveAttribute("type", "date");
  // Such a browser treats it as text. A copy: React would make it a date again.
  const input = field.element().cloneNode() as HTMLInputElement;
  input.type = "text";
  document.body.append(input);
  input.focus();
  await userEvent.keyboard("2026-11-1724122026");
  expect(input.value).toBe("2026-11-17");
  expect(input.validity.valid).toBe(true);
  input.select();
  await userEvent.keyboard("17.11.2026");
  expect(input.validity.patternMismatch).toBe(true);
  input.remove();
});

test("the circle of a definition's question mark is in the middle, also where place-self does not place it", async () => {
  await openPage({
    Component: () => (
      <dl className="office-key-metrics">
        <div>
          <style>{".definition summary::before { place-self: auto !important; }"}</style>
          <dd className="definition">
            <details>
              <summary>?</summary>
            </details>
          </dd>
        </div>
      </dl>
    ),
  });
  const mark = page.getByText("?", { exact: true });
  await expect.element(mark).toBeVisible();
  const { top, right, bottom, left } = getComputedStyle(mark.element(), "::before");
  expect([top, right, bottom, left]).toEqual(["5px", "5px", "5px", "5px"]);
});

test("in a row the words beside a link of two lines are level with its first", async () => {
  await openPage({
    Component: () => (
      <div className="office">
        <table className="data-table">
          <tbody>
            <tr>
              <td>Words</td>
              <td style={{ width: "1px" }}>
                <a href="#one">List viewed</a>
              </td>
            </tr>
          </tbody>
        </table>
      </div>
    ),
  });
  await expect.element(page.getByRole("link")).toBeVisible();
  const linesOf = (cell: Element | null) => {
    const range = document.createRange();
    range.selectNodeContents(cell?.firstElementChild ?? (cell as Element));
    return [...range.getClientRects()].map(({ top }) => Math.round(top));
  };
  const [words, link] = [...document.querySelectorAll("td")].map(linesOf);
  expect(link).toHaveLength(2);
  expect(words?.[0]).toBe(link?.[0]);
  // Links one above the other keep 24 px each.
  expect((link?.[1] ?? 0) - (link?.[0] ?? 0)).toBe(24);
});
