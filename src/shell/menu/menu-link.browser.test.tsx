import { createRoot } from "react-dom/client";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { textsOf } from "#testing/browser/open-page.tsx";
import { MenuLink } from "./menu-link.tsx";

test("the pressed entry of a menu is marked while its page is loading, and no other", async () => {
  const Component = () => (
    <>
      <MenuLink className="" page="/account">
        Compte
      </MenuLink>
      <MenuLink className="" page="/club">
        Fidélité
      </MenuLink>
      <MenuLink className="" page="/club" fragment="code">
        Code
      </MenuLink>
    </>
  );
  let arrive = () => {};
  const loader = () => new Promise<null>((resolve) => (arrive = () => resolve(null)));
  const router = createMemoryRouter(
    [
      { path: "/account", Component },
      { path: "/club", Component, loader },
    ],
    { initialEntries: ["/account"] },
  );
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <TextsProvider texts={textsOf.fr}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
  const link = (name: string) => page.getByRole("link", { name });
  await link("Fidélité").click();
  await expect.element(link("Fidélité")).toHaveAttribute("data-pending", "true");
  for (const name of ["Compte", "Code"]) expect(link(name).element().hasAttribute("data-pending")).toBe(false);
  arrive();
  await expect.element(link("Fidélité")).toHaveAttribute("aria-current", "page");
  expect(link("Fidélité").element().hasAttribute("data-pending")).toBe(false);
  root.unmount();
});
