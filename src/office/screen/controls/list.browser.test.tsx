import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { t, textsOf } from "#testing/browser/open-page.tsx";
import { type Column, List } from "./list.tsx";

interface Shop {
  name: string;
  sales: number | null;
  voided?: boolean;
}
const shops: Shop[] = [
  ...[..."CADBGFEH"].map((letter, n) => ({ name: `Boutique ${letter}`, sales: n * 10.5 })),
  { name: "=Fermée", sales: null },
  { name: "Annulée", sales: 99, voided: true },
];
const columns: Column<Shop>[] = [
  { heading: "Nom", value: ({ name }) => name },
  {
    heading: "Ventes",
    number: true,
    value: ({ sales }) => sales,
    total: (rows) => rows.reduce((sum, { sales }) => sum + (sales ?? 0), 0),
  },
];
const names = () => [...document.querySelectorAll("tbody tr")].map((row) => row.firstElementChild?.textContent);

test("a list is sorted by a press, filtered by words, has its total below, and is had as a file of what is shown", async () => {
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <TextsProvider texts={textsOf.fr}>
      <List
        label="Boutiques"
        rows={shops}
        columns={columns}
        empty="Aucune"
        csvName="shops.csv"
        apart={{ heading: "À part", is: ({ voided }) => voided === true }}
        row={({ name, sales }) => (
          <tr key={name}>
            <td>{name}</td>
            <td className="number">{sales}</td>
          </tr>
        )}
      />
    </TextsProvider>,
  );
  const head = page.getByRole("button", { name: "Ventes" });
  await expect.element(head).toBeVisible();
  // What counts nowhere stands below the total, which leaves it out.
  expect(names().slice(-3)).toEqual([t("office.list.total", { count: 9 }), "À part", "Annulée"]);
  await expect.element(page.getByRole("cell", { name: "294", exact: true })).toBeVisible();
  await head.click();
  await head.click();
  await expect.element(page.getByRole("columnheader", { name: "Ventes" })).toHaveAttribute("aria-sort", "descending");
  expect(names()[0]).toBe("Boutique H");
  await userEvent.fill(page.getByRole("searchbox", { name: t("office.list.filter") }), "boutique c");
  await expect.element(page.getByText(t("office.list.shown", { count: 1, all: "10" }))).toBeVisible();
  expect(names()).toEqual(["Boutique C"]);
  // Without its accent.
  await userEvent.fill(page.getByRole("searchbox"), "fermee");
  const saved: Blob[] = [];
  const url = vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    saved.push(blob as Blob);
    return "blob:none";
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  await page.getByRole("button", { name: t("office.figures.csvOf", { what: "Boutiques" }) }).click();
  expect(await saved[0]?.text()).toBe("Nom;Ventes\r\n'=Fermée;\r\n");
  await userEvent.fill(page.getByRole("searchbox"), "nulle part");
  await expect.element(page.getByText(t("office.list.none"))).toBeVisible();
  url.mockRestore();
  click.mockRestore();
  root.unmount();
});
