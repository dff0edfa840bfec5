import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { Field } from "#ui/form/field.tsx";

/** A number, whole or with two decimals as in 1,25; the value is counted in its smallest unit. */
export function NumberField({
  label,
  value,
  decimals = false,
  error,
  hint,
  onChange,
}: {
  label: string;
  value: number;
  decimals?: boolean;
  error?: string | undefined;
  hint?: string;
  onChange: (value: number) => void;
}) {
  const { locale } = useTexts();
  const write = (number: number) => {
    const text = decimals && number % 100 !== 0 ? (number / 100).toFixed(2) : String(decimals ? number / 100 : number);
    return locale === "en" ? text : text.replace(".", ",");
  };
  const read = (text: string) => {
    const number = Number(text.replace(",", "."));
    return decimals ? Math.round(number * 100) : number;
  };
  const [typed, setTyped] = useState(() => write(value));
  // Another person's rules may have taken the place of what was typed.
  const shown = read(typed) === value ? typed : write(value);
  const allowed = decimals ? /^\d{0,6}([.,]\d{0,2})?$/ : /^\d{0,7}$/;
  return (
    <Field
      name={label}
      label={label}
      inputMode={decimals ? "decimal" : "numeric"}
      autoComplete="off"
      value={shown}
      error={error}
      hint={hint}
      onChange={({ target }) => {
        if (!allowed.test(target.value)) return;
        setTyped(target.value);
        onChange(read(target.value));
      }}
    />
  );
}
