import { createMemoryRouter, RouterContextProvider } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { callContext } from "#platform/api/client/call-context.ts";
import type { Call } from "#platform/api/client/client.ts";
import { formAction, type Submission } from "#platform/api/client/form.ts";
import { loadCurrentCustomer, refetchAfterAction } from "./current-customer.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

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
  await expect.poll(() => Object.values(router.state.actionData ?? {})).toEqual([{ ok: true }]);
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

/** A promise that the test keeps until it releases it. */
function held() {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  return { released, release };
}

/** A router as in the browser; each read of the customer is counted. */
function openRouter({
  action,
  loader,
}: {
  action: (submission: Submission) => Promise<unknown>;
  loader: () => Promise<null>;
}) {
  vi.stubEnv("SSR", false);
  // Stores are set where there is one.
  vi.stubGlobal("document", {});
  const customer = { email: "old@exemple.fr", reads: 0 };
  const call = async () => {
    customer.reads += 1;
    return { Email: customer.email };
  };
  const router = createMemoryRouter(
    [
      {
        id: "root",
        loader: loadCurrentCustomer,
        shouldRevalidate: refetchAfterAction,
        children: [
          { path: "/account/email", action: formAction(action), loader },
          { path: "/account" },
          { path: "/help" },
        ],
      },
    ],
    {
      initialEntries: ["/account/email"],
      hydrationData: { loaderData: { root: { customer: { Email: customer.email }, signedOut: false }, "0-0": null } },
      getContext: () => {
        const context = new RouterContextProvider();
        context.set(callContext, call as Call);
        return context;
      },
    },
  );
  const shown = () => router.state.loaderData["root"].customer.Email;
  return { customer, router, shown };
}

test.each(["while the action runs", "while the page is read again after it"])(
  "a link with another query that is pressed %s fetches the customer again, and the next one does not",
  async (when) => {
    const [acting, reading] = [held(), held()];
    // Node aborts what was begun after a request only as long as something holds that request; browsers do not need it.
    const requests: Request[] = [];
    const { customer, router, shown } = openRouter({
      action: async ({ request }) => {
        requests.push(request);
        customer.email = "new@exemple.fr";
        if (when === "while the action runs") await acting.released;
        return { ok: true };
      },
      loader: async () => {
        await reading.released;
        return null;
      },
    });
    void router.navigate("/account/email", { formMethod: "post", formData: new FormData() });
    await expect.poll(() => customer.email).toBe("new@exemple.fr");
    if (when !== "while the action runs") await expect.poll(() => router.state.navigation.state).toBe("loading");
    await router.navigate("/account?changed=email");
    acting.release();
    reading.release();
    expect(shown()).toBe("new@exemple.fr");
    const { reads } = customer;
    await router.navigate("/help?topic=card");
    await router.navigate("/account?page=2");
    expect(customer.reads).toBe(reads);
    expect(requests).toHaveLength(1);
    router.dispose();
  },
);

test("after a refusal a link with another query asks for nothing", async () => {
  const { customer, router } = openRouter({
    action: async () => {
      throw new TypeError("Failed to fetch");
    },
    loader: async () => null,
  });
  await router.navigate("/account/email", { formMethod: "post", formData: new FormData() });
  await router.navigate("/help?topic=card");
  expect(customer.reads).toBe(0);
  router.dispose();
});
