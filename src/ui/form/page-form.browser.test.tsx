import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { useTexts } from "#i18n/use-texts.tsx";
import { subscribe, unsubscribe } from "#loyalty/calls.ts";
import { formAction, isRefused } from "#platform/api/client/form.ts";
import { useActed, useLoaded } from "#platform/api/client/use-loaded.ts";
import { button, inputNamed, onCall, openPage, refuse, t, unreachable } from "#testing/browser/open-page.tsx";
import { Submit } from "./form.tsx";
import { PageForm } from "./page-form.tsx";

/** A page with a new key at every load, as the member's page has. */
function keyed() {
  let loads = 0;
  const loader = () => ({ key: `load-${++loads}` });
  const action = formAction(async ({ form, intent, call }) => {
    const options = { idempotencyKey: String(form.get("IdempotencyKey")) };
    await call(intent === "join" ? subscribe : unsubscribe, {}, options);
    return { ok: true as const, intent };
  });
  function Component() {
    const { t } = useTexts();
    const { key } = useLoaded<typeof loader>();
    const acted = useActed<typeof action>();
    const refused = isRefused(acted) ? acted : undefined;
    return (
      <>
        <p>{key}</p>
        <PageForm intent="join" idempotencyKey={key} refused={refused}>
          <Submit>{t("member.joinTitle")}</Submit>
        </PageForm>
        <PageForm intent="leave" subject={3} idempotencyKey={key} refused={refused}>
          <Submit>{t("member.leaveConfirm")}</Submit>
        </PageForm>
      </>
    );
  }
  return { Component, loader, action };
}

const join = button(t("member.joinTitle"));
const keysOf = (sent: { headers: Headers }[]) => sent.map(({ headers }) => headers.get("idempotency-key"));

async function press(): Promise<void> {
  await expect.element(join).not.toHaveAttribute("aria-disabled");
  await join.click();
}

test("each form of a page has a key of its own, made of the page's key, what it does and to what", async () => {
  await openPage(keyed());
  const keys = [...document.querySelectorAll<HTMLInputElement>("[name=IdempotencyKey]")].map(({ value }) => value);
  expect(keys).toEqual(["load-1.join.", "load-1.leave.3"]);
});

test.each([
  ["no response", unreachable],
  ["a 503", refuse("unavailable")],
])("after %s the form is sent with the same key, though the page has loaded a new one", async (_, lost) => {
  const sent = onCall(subscribe, lost);
  const router = await openPage(keyed());
  await press();
  await expect.element(page.getByRole("alert")).toBeVisible();
  await router.revalidate();
  await expect.element(page.getByText("load-2", { exact: true })).toBeVisible();
  expect(inputNamed("IdempotencyKey").value).toBe("load-1.join.");
  await press();
  await expect.poll(() => sent).toHaveLength(2);
  expect(keysOf(sent)).toEqual(["load-1.join.", "load-1.join."]);
});

test("once the server has refused the lost form, the next one has a new key", async () => {
  const sent = onCall(subscribe, unreachable);
  await openPage(keyed());
  await press();
  await expect.element(page.getByRole("alert")).toHaveTextContent(t("form.unreachable"));
  onCall(subscribe, refuse("not_enough_points"));
  await press();
  await expect.element(page.getByRole("alert")).toHaveTextContent(t("refusal.not_enough_points"));
  await press();
  await expect.poll(() => sent).toHaveLength(3);
  expect(keysOf(sent)).toEqual(["load-1.join.", "load-1.join.", "load-2.join."]);
});

test("after a success the next form has a new key", async () => {
  const sent = onCall(subscribe, () => Response.json({}));
  await openPage(keyed());
  await press();
  await expect.element(page.getByText("load-2", { exact: true })).toBeVisible();
  await press();
  await expect.poll(() => sent).toHaveLength(2);
  expect(keysOf(sent)).toEqual(["load-1.join.", "load-2.join."]);
});

test("a form that was lost leaves the keys of the others alone", async () => {
  onCall(subscribe, unreachable);
  const left = onCall(unsubscribe, () => Response.json({}));
  const router = await openPage(keyed());
  await press();
  await expect.element(page.getByRole("alert")).toBeVisible();
  await router.revalidate();
  const leave = button(t("member.leaveConfirm"));
  await expect.element(leave).not.toHaveAttribute("aria-disabled");
  await leave.click();
  await expect.poll(() => left).toHaveLength(1);
  expect(keysOf(left)).toEqual(["load-2.leave.3"]);
  // The other form was answered; the lost one still was not.
  await expect.element(page.getByText("load-3", { exact: true })).toBeVisible();
  expect(inputNamed("IdempotencyKey").value).toBe("load-1.join.");
});
