import type { ComponentProps, SelectHTMLAttributes, TextareaHTMLAttributes } from "react";
import { LabelledControl, useTyped } from "./field.tsx";

type Labels = Omit<ComponentProps<typeof LabelledControl>, "children">;
type Own<All> = Labels & { initial?: string } & Omit<All, "id" | "name" | "className" | "defaultValue" | "required">;

export function Select({
  name,
  label,
  hint,
  aside,
  optional,
  sometimes,
  error,
  initial,
  options,
  ...select
}: Own<SelectHTMLAttributes<HTMLSelectElement>> & { options: readonly (readonly [value: string, label: string])[] }) {
  const typed = useTyped(name, initial);
  return (
    <LabelledControl {...{ name, label, hint, aside, optional, sometimes, error }}>
      {(control) => (
        // Another initial value makes another list: React selects one only when it makes the list.
        <select
          key={typed}
          {...(select.value === undefined && { defaultValue: typed })}
          {...select}
          {...control}
          className="field"
        >
          {options.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </LabelledControl>
  );
}

export function TextArea({
  name,
  label,
  hint,
  aside,
  optional,
  sometimes,
  error,
  initial,
  ...area
}: Own<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  const typed = useTyped(name, initial);
  return (
    <LabelledControl {...{ name, label, hint, aside, optional, sometimes, error }}>
      {(control) => (
        <textarea
          rows={2}
          {...(area.value === undefined && { defaultValue: typed })}
          {...area}
          {...control}
          className="field"
        />
      )}
    </LabelledControl>
  );
}
