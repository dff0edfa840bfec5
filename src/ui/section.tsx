import { type ReactNode, useId } from "react";

/** A part of a page with its own heading. */
export function Section(props: { id?: string; title: string; text?: string; children: ReactNode }) {
  const { title, text, children } = props;
  const id = useId();
  return (
    <section id={props.id} aria-labelledby={id} className="scroll-mt-24 border-ink border-t pt-6">
      <h2 id={id} className="text-[1.75rem]">
        {title}
      </h2>
      {text && <p className="mt-3 text-soft">{text}</p>}
      <div className="mt-6">{children}</div>
    </section>
  );
}
