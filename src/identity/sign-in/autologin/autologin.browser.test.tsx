import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { autologin } from "#identity/calls.ts";
import { pagePaths } from "#identity/paths.ts";
import { button, customer, onCall, openPage, refuse, t } from "#testing/browser/open-page.tsx";
import * as autologinPage from "./autologin.page.tsx";
import type { NavigationSource } from "./navigation-source.ts";

const link = { Email: "lea@exemple.fr", Token: "secret-token" };
const path = `${pagePaths.autologin}?email=${link.Email}&token=${link.Token}`;
const open = (from: NavigationSource) => openPage({ ...autologinPage, loader: () => ({ from }) }, { path });
const signedIn = () => Response.json({ AuthData: { Customer: customer } });
const elsewhere = page.getByText("elsewhere");

test("a link on a page of another site signs in after one press, on a page that names the account", async () => {
  const sent = onCall(autologin, signedIn);
  await open("elsewhere");
  await expect.element(page.getByText(t("autologin.text", { email: link.Email }))).toBeVisible();
  await expect.element(page.getByText(t("autologin.check"))).toBeVisible();
  expect(sent).toEqual([]);
  await button(t("autologin.submit")).click();
  await expect.element(elsewhere).toBeVisible();
  expect(sent.map(({ fields }) => fields)).toEqual([link]);
});

test("a one-time link that was typed or mailed signs in by itself", async () => {
  const sent = onCall(autologin, signedIn);
  await open("direct");
  await expect.element(elsewhere).toBeVisible();
  expect(sent.map(({ fields }) => fields)).toEqual([{ ...link, LinkOnly: "true" }]);
});

test("a session's token that was typed or mailed signs in after one press", async () => {
  const sent = onCall(autologin, ({ fields }) =>
    fields["LinkOnly"] ? refuse("confirmation_needed")({ fields, headers: new Headers() }) : signedIn(),
  );
  await open("direct");
  await expect.element(page.getByText(t("autologin.check"))).toBeVisible();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  await button(t("autologin.submit")).click();
  await expect.element(elsewhere).toBeVisible();
  expect(sent.map(({ fields }) => fields)).toEqual([{ ...link, LinkOnly: "true" }, link]);
});

test("a session's token that the configured shop hands over signs in by itself", async () => {
  const sent = onCall(autologin, signedIn);
  await open("shop");
  await expect.element(elsewhere).toBeVisible();
  expect(sent.map(({ fields }) => fields)).toEqual([link]);
});
