import { type InputHTMLAttributes, type ReactNode, useContext, useId, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { FieldCode } from "#platform/refusal.ts";
import { Icon } from "#ui/icon.tsx";
import { FormContext } from "./form.tsx";
import { typedDay } from "./typed-day.ts";

export function useFieldError(name: string): string | undefined {
  return useContext(FormContext).messages[name];
}

/** What was typed before a refusal, or what the page starts with. */
export function useTyped(name: string, initial = ""): string {
  return useContext(FormContext).values?.[name] ?? initial;
}

interface Labelled {
  name: string;
  label: string;
  hint?: ReactNode;
  /** Beside the label, at the end of its line. */
  aside?: ReactNode;
  optional?: boolean;
  /** Needed at times: its hint says when, and the server whether. */
  sometimes?: boolean;
  /** Instead of the form's own error about this field. */
  error?: ReactNode;
}

type Attributes<All> = Omit<All, "id" | "name" | "className" | "defaultValue" | "required">;

type InputProps = Labelled & {
  initial?: string | undefined;
  /** The field error shown when the browser's constraint fails. */
  code?: FieldCode;
  /** Over the end of the control. */
  end?: ReactNode;
} & Attributes<InputHTMLAttributes<HTMLInputElement>>;

export function Field({
  name,
  label,
  hint,
  aside,
  optional,
  sometimes,
  error,
  initial,
  code,
  end,
  ...input
}: InputProps) {
  const { required, autoComplete } = useContext(FormContext);
  const typed = useTyped(name, initial);
  const exact = !required || (input.type ?? "text") !== "text" || name.endsWith("Password");
  return (
    <LabelledControl {...{ name, label, hint, aside, optional, sometimes, error }}>
      {(control) => (
        <div className="relative">
          <input
            // No autocorrection of addresses, numbers and passwords; names may be capitalised.
            {...(exact && { autoCapitalize: "none", autoCorrect: "off", spellCheck: false })}
            {...(input.type === "date" && typedDay)}
            {...(input.value === undefined && { defaultValue: typed })}
            {...input}
            {...control}
            autoComplete={autoComplete ?? input.autoComplete}
            className={end ? "field pr-14" : "field"}
            data-code={code}
          />
          {end}
        </div>
      )}
    </LabelledControl>
  );
}

/** Label, control, error and hint, tied together for screen readers. */
export function LabelledControl({
  name,
  label,
  hint,
  aside,
  optional,
  sometimes,
  error,
  children,
}: Labelled & {
  children: (control: {
    id: string;
    name: string;
    required: boolean;
    "aria-invalid": true | undefined;
    "aria-describedby": string | undefined;
  }) => ReactNode;
}) {
  const { t } = useTexts();
  const id = useId();
  const { marked, required } = useContext(FormContext);
  const wrong = useFieldError(name) ?? error;
  const described = [wrong && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div className="labelled">
      <div className="label">
        <label htmlFor={id}>
          {label}
          {optional ? (
            <span className="hint"> ({t("form.optional")})</span>
          ) : (
            marked && <span aria-hidden="true"> *</span>
          )}
        </label>
        {aside}
      </div>
      {children({
        id,
        name,
        required: required && !optional && !sometimes,
        "aria-invalid": wrong ? true : undefined,
        "aria-describedby": described || undefined,
      })}
      {wrong && (
        <p id={`${id}-error`} className="error">
          {wrong}
        </p>
      )}
      {hint && (
        <div id={`${id}-hint`} className="hint">
          {hint}
        </div>
      )}
    </div>
  );
}

/** A password with a button that shows it; without script it stays hidden. */
export function PasswordField(props: Omit<InputProps, "type" | "end">) {
  const { t } = useTexts();
  const [shown, show] = useState(false);
  return (
    <Field
      {...props}
      type={shown ? "text" : "password"}
      end={
        <button
          type="button"
          className="absolute inset-y-0 right-0 flex w-12 items-center justify-center text-soft hover:text-ink"
          aria-pressed={shown}
          onClick={() => show(!shown)}
        >
          <Icon name={shown ? "hidden" : "eye"} />
          <span className="sr-only">{t(shown ? "form.hide" : "form.show")}</span>
        </button>
      }
    />
  );
}

export function Checkbox({
  name,
  initial = false,
  children,
}: {
  name: string;
  initial?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const wrong = useFieldError(name);
  const { values } = useContext(FormContext);
  return (
    <div>
      <label htmlFor={id} className="flex min-h-11 cursor-pointer items-start gap-3.5 py-2">
        <input
          id={id}
          type="checkbox"
          name={name}
          value="true"
          // An unchecked box is not sent: after a submit, its absence means unchecked.
          defaultChecked={values ? values[name] === "true" : initial}
          className="mt-0.5 size-5 shrink-0 accent-ink"
          aria-invalid={wrong ? true : undefined}
          aria-describedby={wrong && `${id}-error`}
        />
        <span>{children}</span>
      </label>
      {wrong && (
        <p id={`${id}-error`} className="text-sm text-danger">
          {wrong}
        </p>
      )}
    </div>
  );
}

export function Choice({
  name,
  legend,
  options,
  initial = "",
  required = false,
}: {
  name: string;
  legend: string;
  options: readonly (readonly [value: string, label: string])[];
  initial?: string;
  required?: boolean;
}) {
  const { t } = useTexts();
  const typed = useTyped(name, initial);
  return (
    <fieldset>
      <legend className="mb-1 text-md text-soft">
        {legend} {!required && <span className="text-xs">({t("form.optional")})</span>}
      </legend>
      <div className="flex flex-wrap gap-x-8">
        {options.map(([value, label]) => (
          <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="radio"
              name={name}
              value={value}
              required={required}
              defaultChecked={typed === value}
              className="size-5 accent-ink"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
