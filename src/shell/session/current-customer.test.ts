import { createMemoryRouter } from "react-router";
import { expect, test, vi } from "vitest";
import { refetchAfterAction } from "./current-customer.ts";

test("a link pressed before the customer is fetched again after an action does not keep the old one", async () => {
  let stored = "old@exemple.fr";
  let answer = () => {};
  const slow = () => new Promise<null>((resolve) => (answer = () => resolve(null)));
  const router = createMemoryRouter(
    [
      {
        id: "root",
        loader: () => stored,
        shouldRevalidate: refetchAfterAction,
        children: [
          {
            path: "/account/email",
            loader: slow,
            action: () => {
              stored = "new@exemple.fr";
              return { ok: true };
            },
          },
          { path: "/account" },
          { path: "/help" },
        ],
      },
    ],
    { initialEntries: ["/account/email"], hydrationData: { loaderData: { root: stored, "0-0": null } } },
  );
  const formData = new FormData();
  void router.navigate("/account/email", { formMethod: "post", formData });
  // What was done is shown while the page is still read again.
  await vi.waitFor(() => expect(Object.values(router.state.actionData ?? {})).toEqual([{ ok: true }]));
  expect(router.state.navigation.state).toBe("loading");
  await router.navigate("/account");
  answer();
  expect(router.state.location.pathname).toBe("/account");
  expect(router.state.loaderData["root"]).toBe("new@exemple.fr");
  // Another page alone asks for nothing.
  stored = "newer@exemple.fr";
  await router.navigate("/help");
  expect(router.state.loaderData["root"]).toBe("new@exemple.fr");
  router.dispose();
});
