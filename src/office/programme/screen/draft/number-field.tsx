import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { Field } from "#ui/form/field.tsx";

/** A number, whole or with so many decimals as in 1,25; the value is counted in its smallest unit. */
export function NumberField({
  label,
  value,
  decimals = 0,
  error,
  hint,
  onChange,
}: {
  label: string;
  value: number;
  decimals?: number;
  error?: string | undefined;
  hint?: string;
  onChange: (value: number) => void;
}) {
  const { locale } = useTexts();
  const one = 10 ** decimals;
  const write = (number: number) => {
    const text = number % one === 0 ? String(number / one) : (number / one).toFixed(decimals);
    return locale === "en" ? text : text.replace(".", ",");
  };
  const read = (text: string) => Math.round(Number(text.replace(",", ".")) * one);
  const [typed, setTyped] = useState(() => write(value));
  // Another person's rules may have taken the place of what was typed.
  const shown = read(typed) === value ? typed : write(value);
  const allowed = new RegExp(`^\\d{0,7}${decimals > 0 ? `([.,]\\d{0,${decimals}})?` : ""}$`);
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
