import type { ReactNode } from "react";

const paths = {
  account: (
    <>
      <circle cx="12" cy="8" r="3.75" />
      <path d="M4.5 20.5c.6-4 3.6-6 7.5-6s6.9 2 7.5 6" />
    </>
  ),
  card: <path d="M3.5 6h17v12h-17zM7.5 9.5v5M10.5 9.5v5M13.5 9.5v5M16.5 9.5v5" />,
  orders: <path d="M5 8.5h14l1 12H4zM8.5 8.5V7a3.5 3.5 0 0 1 7 0v1.5" />,
  code: <path d="M4 8V4.5h3.5M16.5 4.5H20V8M20 16v3.5h-3.5M7.5 19.5H4V16M8 8.5v7M11 8.5v7M13.5 8.5v7M16 8.5v7" />,
  arrow: <path d="M4 12h16M15 7l5 5-5 5" />,
  outward: <path d="M7 17 17 7M8.5 7H17v8.5" />,
  plus: <path d="M12 5.5v13M5.5 12h13" />,
  minus: <path d="M5.5 12h13" />,
  up: <path d="m6 15 6-6 6 6" />,
  eye: (
    <>
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
      <circle cx="12" cy="12" r="2.75" />
    </>
  ),
  hidden: (
    <path d="M3.5 3.5l17 17M9 6a9 9 0 0 1 3-.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.6 3.4M6 7.5A16 16 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4.5-1.2" />
  ),
  close: <path d="m6 6 12 12M18 6 6 18" />,
  clock: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7v5l3 2.5" />
    </>
  ),
  check: <path d="m5 12.5 4.5 4.5L19 7.5" />,
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof paths;

/** Line icons, always beside or inside something with an accessible name. */
export function Icon({ name, className = "size-5" }: { name: IconName; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      className={className}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      {paths[name]}
    </svg>
  );
}
