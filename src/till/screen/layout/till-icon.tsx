import type { ReactNode } from "react";

const paths = {
  scan: <path d="M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M7 12h10" />,
  camera: (
    <>
      <path d="M3.5 7.5h4l1.5-2h6l1.5 2h4v11h-17z" />
      <circle cx="12" cy="12.75" r="3.25" />
    </>
  ),
  newMember: (
    <>
      <circle cx="10" cy="8" r="3.5" />
      <path d="M3.5 20c.6-3.8 3-5.5 6.5-5.5 1.6 0 3 .4 4 1.1M18 14v6M15 17h6" />
    </>
  ),
  back: <path d="M8.5 6 4 10.5 8.5 15M4.5 10.5h10a5 5 0 0 1 0 10H11" />,
  arrow: <path d="M4 12h16M15 7l5 5-5 5" />,
  check: <path d="m5 12.5 4.5 4.5L19 7.5" />,
  card: <path d="M3.5 6h17v12h-17zM7.5 9.5v5M10.5 9.5v5M13.5 9.5v5M16.5 9.5v5" />,
  noCard: <path d="M3.5 6h17v12h-17zM3.5 10h17M4 20 20 4" />,
  gift: (
    <path d="M4.5 11h15v9h-15zM3.5 7.5h17V11h-17zM12 7.5V20M12 7.5c-4 0-5-1.2-5-2.3S8 3.5 9 3.5c1.6 0 3 4 3 4s1.4-4 3-4c1 0 2 .6 2 1.700S16 7.5 12 7.5" />
  ),
  offline: (
    <path d="M4 4l16 16M8.5 16a5 5 0 0 1 7 0M5.5 12.500a9 9 0 0 1 4-2.300M14.5 10.200a9 9 0 0 1 4 2.300M2.5 9a13 13 0 0 1 4.5-2.800M11 5.100a13 13 0 0 1 10.5 3.900M12 19.500v.1" />
  ),
  erase: <path d="M8 6h12v12H8l-5-6zM11.5 9.500l5 5M16.5 9.500l-5 5" />,
  close: <path d="m6 6 12 12M18 6 6 18" />,
} as const satisfies Record<string, ReactNode>;

export type TillIconName = keyof typeof paths;

/** Line icons of the till, always beside or inside something with an accessible name. */
export function TillIcon({ name }: { name: TillIconName }) {
  return (
    <svg
      aria-hidden="true"
      className="till-icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      {paths[name]}
    </svg>
  );
}
