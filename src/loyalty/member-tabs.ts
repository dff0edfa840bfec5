import { pagePaths } from "#identity/paths.ts";

/** The parts of the member page, each a link of its own: card, vouchers and rewards, benefits and ways to earn, history. */
export const memberTabs = ["card", "vouchers", "benefits", "history"] as const;
export type MemberTab = (typeof memberTabs)[number];
export const tabParameter = "tab";
/** The tab with the vouchers and what can be had for points. */
export const vouchersPath = `${pagePaths.memberPage}?tab=vouchers`;

/** Parameters that only one tab reads: links of emails and receipts name no tab. */
const parametersOf: Partial<Record<MemberTab, string[]>> = {
  vouchers: ["state", "vouchers", "obtained"],
  history: ["cursor", "after", "receipt", "former"],
};

/** Where the outcome of a form is shown. */
const tabOfIntent: Record<string, MemberTab> = {
  reward: "vouchers",
  resend: "vouchers",
  tillCode: "vouchers",
  event: "benefits",
  receipt: "history",
};

export function tabOf(search: URLSearchParams, intent = ""): MemberTab {
  const named = memberTabs.find((tab) => tab === search.get(tabParameter));
  const meant = tabOfIntent[intent] ?? memberTabs.find((tab) => parametersOf[tab]?.some((name) => search.has(name)));
  return named ?? meant ?? "card";
}
