import { type ReactNode, useLayoutEffect, useRef } from "react";

const tones = { done: "till-done", refused: "till-refused", offline: "till-offline" };

/** The state of the till as a band of colour; never colour alone: the first words say it. */
export function Band({
  tone,
  title,
  title2,
  metric,
  notice,
  children,
}: {
  tone: keyof typeof tones;
  title: string;
  title2?: string;
  metric?: boolean;
  /** What happened since. */
  notice?: string | undefined;
  children?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Screen readers begin here, and the keyboard goes on from here; before the screen is painted, so that no key is lost.
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <div className={`till-band ${tones[tone]}`} role={tone === "refused" ? "alert" : "status"}>
      <h1 ref={heading} tabIndex={-1} data-figure={metric || undefined}>
        {title} {title2 && <em>{title2}</em>}
      </h1>
      {children && <p>{children}</p>}
      {notice && <p>{notice}</p>}
    </div>
  );
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="till-facts">{children}</dl>;
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
