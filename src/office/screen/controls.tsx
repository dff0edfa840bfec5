import { type ReactNode, useEffect, useId, useRef } from "react";
import { typedDay } from "#ui/typed-day.ts";
import type { Failure } from "./failure.ts";

interface Labelled {
  name: string;
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Beside the label, at the end of its line. */
  aside?: ReactNode;
}

/** Label, control, error and hint, tied together for readers. */
function Labelled({
  label,
  hint,
  error,
  aside,
  children,
}: Omit<Labelled, "name"> & {
  children: (control: {
    id: string;
    "aria-invalid": true | undefined;
    "aria-describedby": string | undefined;
  }) => ReactNode;
}) {
  const id = useId();
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div className="office-field">
      <div className="label">
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      {children({ id, "aria-invalid": error ? true : undefined, "aria-describedby": described || undefined })}
      {error && (
        <p id={`${id}-error`} className="bad">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="note">
          {hint}
        </p>
      )}
    </div>
  );
}

export function Field({
  label,
  hint,
  error,
  aside,
  ...input
}: Labelled & Omit<React.InputHTMLAttributes<HTMLInputElement>, "id" | "className">) {
  return (
    <Labelled label={label} hint={hint} error={error} aside={aside}>
      {(control) => (
        <input
          autoCapitalize="none"
          spellCheck={false}
          {...(input.type === "date" && typedDay)}
          {...input}
          {...control}
        />
      )}
    </Labelled>
  );
}

export function TextArea({
  label,
  hint,
  error,
  aside,
  ...area
}: Labelled & Omit<React.TextareaHTMLAttributes<HTMLTextAreaElement>, "id" | "className">) {
  return (
    <Labelled label={label} hint={hint} error={error} aside={aside}>
      {(control) => <textarea rows={2} {...area} {...control} />}
    </Labelled>
  );
}

export function Select({
  label,
  hint,
  error,
  aside,
  options,
  ...select
}: Labelled & { options: readonly (readonly [value: string, label: string])[] } & Omit<
    React.SelectHTMLAttributes<HTMLSelectElement>,
    "id" | "className"
  >) {
  return (
    <Labelled label={label} hint={hint} error={error} aside={aside}>
      {(control) => (
        // Another default makes another list: React selects one only when it makes the list.
        <select key={String(select.defaultValue)} {...select} {...control}>
          {options.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** Why a form was refused. It takes the focus, so that a reader hears it; errors of fields stand beside them. */
export function FormError({ failure }: { failure: Failure | undefined }) {
  const ref = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (failure) ref.current?.focus();
  }, [failure]);
  if (!failure) return null;
  return (
    <p ref={ref} role="alert" tabIndex={-1} className="bad">
      {failure.detail}
    </p>
  );
}

/** An outlined word for a state; the colour is never the only sign. */
export function Label({ tone = "soft", children }: { tone?: "good" | "gold" | "bad" | "soft"; children: ReactNode }) {
  return <span className={`office-label ${tone}`}>{children}</span>;
}
