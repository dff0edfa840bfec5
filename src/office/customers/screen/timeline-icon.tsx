import type { ReactNode } from "react";
import type { readTimeline } from "#office/customers/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";

export type TimelineEntry = ResponseBody<typeof readTimeline>["Entries"][number];

const paths = {
  voucher: <path d="M3.5 11.5v-7h7l10 10-7 7zM7.5 8.5h.01" />,
  letter: <path d="M3.5 6h17v12h-17zM4 6.5l8 6.5 8-6.5" />,
  sale: <path d="M5 8.5h14l1 12H4zM8.5 8.5V7a3.5 3.5 0 0 1 7 0v1.5" />,
  return: <path d="M8 5 3.5 9.5 8 14M4 9.5h10.5a5 5 0 0 1 0 10H9" />,
  gift: (
    <path d="M4 11h16v9.500H4zM3 7.500h18V11H3zM12 7.500v13M12 7.500C9 7.500 7.500 6.500 7.500 5s3-2 4.500 2.500C13.500 3 16.500 3.500 16.500 5S15 7.500 12 7.500" />
  ),
  session: (
    <path d="M14.500 3.500a6 6 0 1 1-4.200 10.300L8.500 15.500v2h-2v2h-3v-3l6-6A6 6 0 0 1 14.500 3.500zM16.500 7.500h.01" />
  ),
  person: (
    <path d="M12 4.250a3.750 3.750 0 1 1 0 7.500 3.750 3.750 0 0 1 0-7.500zM4.500 20.500c.6-4 3.600-6 7.500-6s6.900 2 7.500 6" />
  ),
  consent: <path d="m5 12.500 4.500 4.500L19 7.500" />,
  note: <path d="M5 3.5h14v12l-5 5H5zM14 20v-4.500h5M8.500 8h7M8.500 11.500h7" />,
  lapsed: <path d="M12 3.500a8.500 8.500 0 1 1 0 17 8.500 8.500 0 0 1 0-17zM12 7.500v5l3.500 2" />,
} as const satisfies Record<string, ReactNode>;

const vouchers = ["reward", "reissue", "gift"];

/** Decorative: the words beside it say the same. */
export function TimelineIcon({ entry: { Type, Kind } }: { entry: TimelineEntry }) {
  const name = {
    points: vouchers.includes(Kind ?? "") ? "voucher" : Kind === "expiry" ? "lapsed" : "gift",
    ...{ sale: "sale", return: "return", letter: "letter", consent: "consent", session: "session" },
    team: Kind === "note_added" ? "note" : "person",
  }[Type] as keyof typeof paths;
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinejoin="round"
    >
      {paths[name]}
    </svg>
  );
}
