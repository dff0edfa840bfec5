import { type ReactNode, useId } from "react";

/** A part of a page with its own heading. */
export function Section(props: {
  id?: string;
  title: string;
  text?: string;
  /** Beside the heading, at the end of its line. */
  aside?: ReactNode;
  children: ReactNode;
}) {
  const { title, text, aside, children } = props;
  const id = useId();
  return (
    <section id={props.id} aria-labelledby={id} className="scroll-mt-24 border-ink border-t pt-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id={id} className="text-section">
          {title}
        </h2>
        {aside}
      </div>
      {text && <p className="mt-3 text-soft">{text}</p>}
      <div className="mt-6">{children}</div>
    </section>
  );
}
