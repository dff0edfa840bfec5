import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { locales } from "#i18n/locale.ts";
import { changePassword } from "#identity/calls.ts";
import {
  action,
  alert,
  firstname,
  lastname,
  Names,
  names,
  save,
  send,
  succeed,
  useResult,
  working,
} from "#testing/browser/names-form.tsx";
import {
  button,
  held,
  onCall,
  openPage,
  refuse,
  t,
  textbox,
  textsOf,
  unreachable,
} from "#testing/browser/open-page.tsx";
import { Field, PasswordField } from "./field.tsx";
import { RefusedText } from "./page-form.tsx";

test("a form that is wrong is not sent, and the focus goes to the first field that is", async () => {
  const sent = onCall(changePassword, succeed);
  await openPage(names);
  await firstname.fill("Annabelle");
  await lastname.clear();
  await save.click();
  await expect.element(lastname).toHaveFocus();
  await firstname.clear();
  await lastname.fill("");
  await save.click();
  await expect.element(firstname).toHaveFocus();
  await expect.element(firstname).toHaveAccessibleDescription(t("field.required"));
  await expect.element(lastname).toHaveAccessibleDescription(t("field.required"));
  expect(sent).toEqual([]);
});

test("a field that is not shown yet is not judged", async () => {
  const sent = onCall(changePassword, succeed);
  await openPage({
    Component: () => (
      <Names>
        <details>
          <Field name="Later" label={t("identity.phone")} />
        </details>
      </Names>
    ),
    action,
  });
  await send();
  await expect.element(page.getByText(t("identity.saved"))).toBeVisible();
  expect(sent[0]?.fields).toEqual({ Firstname: "Annabelle", Lastname: "Martin", Later: "" });
});

test.each(locales)("a refusal of the server stands at its field, in the page's language: %s", async (locale) => {
  const { t } = textsOf[locale];
  onCall(changePassword, refuse("invalid", [{ field: "Lastname", code: "name_link" }]));
  await openPage(names, { locale });
  await textbox(t("identity.firstname")).fill("Annabelle");
  await button(t("informations.save")).click();
  const wrong = textbox(t("identity.lastname"));
  await expect.element(wrong).toHaveAccessibleDescription(t("field.name_link"));
  await expect.element(wrong).toHaveAttribute("aria-invalid", "true");
  await expect.element(wrong).toHaveFocus();
  // Said once: at the field, not above the button too.
  await expect.element(alert).not.toBeInTheDocument();
});

test("a refusal that is about no field is said above the button, until something is changed", async () => {
  onCall(changePassword, refuse("too_many"));
  await openPage(names);
  await send();
  await expect.element(alert).toHaveTextContent(t("refusal.too_many"));
  expect(document.querySelector("[aria-invalid]")).toBe(null);
  await lastname.fill("Robert");
  await expect.element(alert).not.toBeInTheDocument();
});

test("a page that shows the refusal elsewhere has it once", async () => {
  onCall(changePassword, refuse("wrong_login"));
  function Component() {
    const { refused } = useResult();
    return (
      <>
        {refused && <RefusedText refused={refused} />}
        <Names quiet />
      </>
    );
  }
  await openPage({ Component, action });
  await send();
  await expect.element(alert).toHaveTextContent(t("refusal.wrong_login"));
  expect(alert.elements()).toHaveLength(1);
});

test("a mended field loses the server's error; refused again, it has it again, with the focus", async () => {
  onCall(changePassword, refuse("invalid", [{ field: "Firstname", code: "name_link" }]));
  await openPage(names);
  await send();
  await expect.element(firstname).toHaveAttribute("aria-invalid", "true");
  await firstname.fill("Anna");
  await expect.element(firstname).not.toHaveAttribute("aria-invalid");
  await lastname.click();
  await expect.element(save).toBeVisible();
  await save.click();
  await expect.element(firstname).toHaveAccessibleDescription(t("field.name_link"));
  await expect.element(firstname).toHaveFocus();
});

test.each(["too_many", "unavailable", "broken"] as const)(
  "what was typed is kept after a refusal: %s",
  async (code) => {
    onCall(changePassword, refuse(code));
    await openPage(names);
    await lastname.fill("Robert");
    await send();
    await expect.element(alert).toHaveTextContent(t(`refusal.${code}`));
    await expect.element(firstname).toHaveValue("Annabelle");
    await expect.element(lastname).toHaveValue("Robert");
  },
);

test("a refusal brings no password into the page's markup", async () => {
  const sent = onCall(changePassword, refuse("too_many"));
  await openPage({
    Component: () => (
      <Names>
        <PasswordField name="Password" label={t("identity.password")} />
      </Names>
    ),
    action,
  });
  await page.getByLabelText(t("identity.password"), { exact: true }).fill("secret-1");
  await send();
  await expect.element(alert).toBeVisible();
  expect(sent[0]?.fields["Password"]).toBe("secret-1");
  expect(document.body.innerHTML).toContain("Annabelle");
  expect(document.body.innerHTML).not.toContain("secret-1");
});

test("without a network the form says so and keeps what was typed; sent again, it arrives", async () => {
  const sent = onCall(changePassword, unreachable);
  await openPage(names);
  await send();
  await expect.element(alert).toHaveTextContent(t("form.unreachable"));
  await expect.element(firstname).toHaveValue("Annabelle");
  onCall(changePassword, succeed);
  await save.click();
  await expect.element(page.getByText(t("identity.saved"))).toBeVisible();
  await expect.element(alert).not.toBeInTheDocument();
  expect(sent[1]?.fields).toEqual(sent[0]?.fields);
});

test("while a form is on its way the button says so, and neither a press nor Enter sends it again", async () => {
  const response = held(succeed);
  const sent = onCall(changePassword, response.reply);
  await openPage(names);
  await send();
  await expect.element(working).toHaveAttribute("aria-disabled", "true");
  await expect.element(save).not.toBeInTheDocument();
  await working.click({ force: true });
  await firstname.click();
  await userEvent.keyboard("{Enter}");
  response.release();
  await expect.element(page.getByText(t("identity.saved"))).toBeVisible();
  expect(sent).toHaveLength(1);
});

test("a double click sends a form once", async () => {
  const response = held(succeed);
  const sent = onCall(changePassword, response.reply);
  await openPage(names);
  await firstname.fill("Annabelle");
  // Both presses in one task, as on a phone that is slower than the finger.
  const button = save.element() as HTMLButtonElement;
  button.click();
  button.click();
  response.release();
  await expect.element(page.getByText(t("identity.saved"))).toBeVisible();
  expect(sent).toHaveLength(1);
});

test.each([
  ["accepted", succeed, "identity.saved"],
  ["refused", refuse("too_many"), "refusal.too_many"],
  ["lost", unreachable, "form.unreachable"],
] as const)("after a form was %s its button works again", async (_, reply, said) => {
  const sent = onCall(changePassword, reply);
  await openPage(names);
  await send();
  await expect.element(page.getByText(t(said))).toBeVisible();
  expect(sent).toHaveLength(1);
  await expect.element(save).not.toHaveAttribute("aria-disabled");
  await save.click();
  await expect.poll(() => sent).toHaveLength(2);
});

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Waits by frames, and two more for effects: Vitest's own polling would move the fake clock. */
async function drawn(isDrawn: () => boolean): Promise<void> {
  while (!isDrawn()) await nextFrame();
  await nextFrame();
  await nextFrame();
}

test("the button shows that it is working for 200 ms, however quick the response", async () => {
  const response = held(unreachable);
  onCall(changePassword, response.reply);
  await openPage(names);
  await firstname.fill("Annabelle");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  try {
    await save.click();
    await drawn(() => working.query() !== null);
    response.release();
    await drawn(() => alert.query() !== null);
    vi.advanceTimersByTime(199);
    await drawn(() => true);
    expect(working.query()?.getAttribute("aria-disabled")).toBe("true");
    vi.advanceTimersByTime(1);
    await drawn(() => working.query() === null);
    expect(save.query()?.hasAttribute("aria-disabled")).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

test("success is announced: its region is there from the start, empty, and says nothing after a later refusal", async () => {
  onCall(changePassword, succeed);
  await openPage(names);
  const status = page.getByRole("status");
  await expect.element(status).toBeInTheDocument();
  await expect.element(status).toHaveTextContent(/^$/);
  const region = status.element();
  await send();
  await expect.element(status).toHaveTextContent(t("identity.saved"));
  expect(status.element()).toBe(region);
  onCall(changePassword, refuse("too_many"));
  // Right after the first press, another counts as the second of a double click.
  await vi.waitFor(
    async () => {
      await save.click();
      await expect.element(alert, { timeout: 500 }).toBeVisible();
    },
    { timeout: 60_000 },
  );
  await expect.element(status).toHaveTextContent(/^$/);
});

test("of two forms on a page only the one that was sent is refused", async () => {
  const sent = onCall(changePassword, refuse("invalid", [{ field: "Firstname", code: "name_link" }]));
  await openPage({
    Component: () => (
      <>
        <section aria-label="one">
          <Names intent="one" />
        </section>
        <section aria-label="two">
          <Names intent="two" />
        </section>
      </>
    ),
    action,
  });
  const one = page.getByRole("region", { name: "one" }).getByRole("textbox", { name: t("identity.firstname") });
  const two = page.getByRole("region", { name: "two" }).getByRole("textbox", { name: t("identity.firstname") });
  await one.fill("Bruno");
  await two.fill("Annabelle");
  await page
    .getByRole("region", { name: "two" })
    .getByRole("button", { name: t("informations.save") })
    .click();
  await expect.element(two).toHaveAccessibleDescription(t("field.name_link"));
  await expect.element(two).toHaveFocus();
  await expect.element(one).not.toHaveAttribute("aria-invalid");
  await expect.element(one).toHaveValue("Bruno");
  expect(sent[0]?.fields["intent"]).toBe("two");
});
