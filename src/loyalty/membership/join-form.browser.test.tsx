import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { pagePaths } from "#identity/paths.ts";
import type { LoyaltyCustomer } from "#loyalty/calls.ts";
import {
  listCustomerRewards,
  listEvents,
  listRewards,
  readHistory,
  readLoyalty,
  readMoved,
  readProgramme,
  readWallets,
  subscribe,
} from "#loyalty/calls.ts";
import * as memberPage from "#loyalty/member-page/subscribe.page.tsx";
import {
  accept,
  button,
  customer,
  inputNamed,
  onCall,
  openPage,
  refuse,
  spoken,
  t,
  textbox,
  unreachable,
} from "#testing/browser/open-page.tsx";

const loyaltyCustomer: LoyaltyCustomer = {
  IdCustomer: customer.IdCustomer,
  IdLoyaltyProgram: 4,
  LoyaltyCustomerState: false,
  MemberSince: null,
  WelcomePoints: 250,
  Card: null,
  Referral: null,
  Points: {
    Available: 0,
    Pending: 0,
    NextPending: null,
    EarnedLast12Months: 0,
    Value: { Amount: "0.00", CurrencyIsoCode: "EUR" },
    Expiring: null,
    Debt: 0,
  },
  Tier: null,
  TierMonths: 12,
  NextTier: null,
  Campaigns: [],
};
const join = button(t("member.joinSubmit", { points: "250" }));
const birthday = textbox(t("identity.birthday"));

/** The member's page of who is none yet. */
async function open(changes: Partial<typeof customer> = {}) {
  onCall(readLoyalty, accept<typeof readLoyalty>(loyaltyCustomer));
  onCall(readMoved, accept<typeof readMoved>({ Moved: null }));
  onCall(
    readProgramme,
    accept<typeof readProgramme>({
      IdLoyaltyProgram: 4,
      WelcomePoints: 250,
      PendingDays: 0,
      Referral: null,
      PointsPerEuro: 1,
      PointsValidMonths: 24,
      TierMonths: 12,
      Tiers: [],
      Rewards: [],
      Events: [],
      Contact: { Email: null, Phone: null, Hours: null },
    }),
  );
  onCall(readHistory, () => Response.json({ Entries: [], NextCursor: null }));
  onCall(listEvents, () => Response.json({ Events: [] }));
  onCall(listRewards, () => Response.json({ Rewards: [] }));
  onCall(listCustomerRewards, () => Response.json({ CustomerRewards: [] }));
  onCall(readWallets, () => Response.json({ Google: false, Apple: false, Url: "", QrSvg: "" }));
  return openPage(memberPage, { path: pagePaths.memberPage, customer: { ...customer, ...changes } });
}

test("joining leads to the privacy policy and the terms of the club", async () => {
  await open();
  for (const name of ["identity.privacyPolicy", "identity.clubTerms"] as const)
    await expect.element(page.getByRole("link", { name: t(name) })).toBeVisible();
});

test("who has told a birthday joins with one press, with the form's key", async () => {
  const sent = onCall(subscribe, refuse("too_many"));
  await open();
  // The form's code is loaded when it is shown.
  await expect.element(join).toBeVisible();
  await expect.element(birthday).not.toBeInTheDocument();
  const key = inputNamed("IdempotencyKey").value;
  await join.click();
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]?.headers.get("idempotency-key")).toBe(key);
});

test("who has told none is asked for it, and it is sent as the wire writes it", async () => {
  const sent = onCall(subscribe, refuse("invalid", [{ field: "CustomerBirthday", code: "birthday" }]));
  await open({ Birthday: null });
  await join.click();
  await expect.element(birthday).toHaveFocus();
  expect(sent).toEqual([]);
  await userEvent.type(birthday, "24041990");
  await join.click();
  await expect
    .element(birthday)
    .toHaveAccessibleDescription(spoken(t("field.birthday"), t("identity.birthdayHint", { example: "24/04/1990" })));
  await expect.element(birthday).toHaveValue("24/04/1990");
  expect(sent[0]?.fields["CustomerBirthday"]).toBe("1990-04-24");
});

test("joining again after no response has the same key; after a refusal it has another", async () => {
  const sent = onCall(subscribe, unreachable);
  await open();
  await join.click();
  await expect.element(page.getByRole("alert")).toHaveTextContent(t("form.unreachable"));
  onCall(subscribe, refuse("too_many"));
  for (const times of [2, 3]) {
    await expect.element(join).not.toHaveAttribute("aria-disabled");
    await join.click();
    await expect.poll(() => sent).toHaveLength(times);
    await expect.element(page.getByRole("alert")).toHaveTextContent(t("refusal.too_many"));
  }
  const [first, second, third] = sent.map(({ headers }) => headers.get("idempotency-key"));
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});
