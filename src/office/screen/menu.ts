import type { TextId } from "#i18n/texts.ts";
import type { readSession } from "#office/sign-in/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";

type Session = ResponseBody<typeof readSession>;
type Role = Session["Role"];

interface MenuItem {
  path: string;
  text: TextId;
  roles: readonly Role[];
  /** The page of one of its things, which stands beside the list. */
  also?: readonly string[];
  /** The words above the first of a group. */
  group?: TextId;
  /** What of it waits for a decision. */
  waiting?: keyof Session["Waiting"] | "all";
}

export const inboxPath = "/inbox";

/** The menu: each role sees the pages it may open. */
const sections: readonly MenuItem[] = [
  {
    ...{ path: inboxPath, text: "office.menu.inbox", waiting: "all" },
    roles: ["owner", "marketing", "service", "shop"],
  },
  { path: "/customers", text: "office.menu.customers", roles: ["owner", "service"], also: ["/customer"] },
  { path: "/approvals", text: "office.menu.approvals", roles: ["owner", "service"], waiting: "Requests" },
  { path: "/shops", also: ["/shop"], text: "office.menu.shops", roles: ["owner", "shop"], waiting: "Cases" },
  { path: "/programme", text: "office.menu.programme", roles: ["owner", "marketing"], waiting: "Drafts" },
  {
    path: "/campaigns",
    also: ["/campaign", "/hold-out"],
    text: "office.menu.campaigns",
    roles: ["owner", "marketing"],
    waiting: "Campaigns",
  },
  { path: "/segments", text: "office.menu.segments", roles: ["owner", "marketing"] },
  {
    ...{ path: "/figures", text: "office.menu.figures", group: "office.menu.measure" },
    roles: ["owner", "marketing", "shop"],
  },
  { path: "/month-end", text: "office.menu.monthEnd", roles: ["owner", "marketing"] },
  { path: "/webhooks", text: "office.menu.webhooks", roles: ["owner"], group: "office.menu.house" },
  { path: "/clients", text: "office.menu.clients", roles: ["owner"] },
  { path: "/team", text: "office.menu.team", roles: ["owner"] },
  { path: "/audit", text: "office.menu.audit", roles: ["owner"] },
  { path: "/look-ups", text: "office.menu.lookUps", roles: ["owner"] },
  { path: "/move", also: ["/cases"], text: "office.menu.move", roles: ["owner"] },
];

/** How many wait, of one thing or of all. The release before, which answers too while this one is rolled out, counts nothing. */
export const countOf = (waiting: MenuItem["waiting"], counts: Partial<Session["Waiting"]> | undefined): number =>
  waiting === "all"
    ? Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0)
    : ((waiting && counts?.[waiting]) ?? 0);

export const sectionsOf = (role: Role) => sections.filter(({ roles }) => roles.includes(role));
