import { type ReactNode, useEffect, useRef } from "react";
import type { Failure } from "#office/screen/failure.ts";
import { FormMessage } from "#ui/form/form.tsx";

/** Why an action without a form was refused. It takes the focus, so that a reader hears it. */
export function FormError({ failure }: { failure: Failure | undefined }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure) ref.current?.querySelector("p")?.focus();
  }, [failure]);
  return failure ? (
    <div ref={ref} className="contents">
      <FormMessage failure={failure} />
    </div>
  ) : null;
}

/** An outlined word for a state; the colour is never the only sign. */
export function Label({ tone = "soft", children }: { tone?: "good" | "gold" | "bad" | "soft"; children: ReactNode }) {
  return <span className={`office-label ${tone}`}>{children}</span>;
}

/** An action of a row; a reader hears which row. */
export function RowAction({
  label,
  of,
  bad = false,
  disabled,
  onClick,
}: {
  label: string;
  of: string;
  bad?: boolean;
  disabled?: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      className={bad ? "office-link bad" : "office-link"}
      aria-label={`${label}, ${of}`}
      disabled={disabled}
      onClick={onClick}
    >
      {label}
    </button>
  );
}
