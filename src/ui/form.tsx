import { createContext, type FormEvent, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { Form as RouterForm, useNavigation } from "react-router";
import type { TextId } from "#i18n/texts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Refused } from "#platform/api/form.ts";
import type { FieldCode } from "#platform/refusal.ts";
import { Icon } from "./icon.tsx";
import { useHeld } from "./use-held.ts";

interface FormState {
  marked: boolean;
  autoComplete?: "off" | undefined;
  messages: Record<string, string>;
  /** What was typed, once the form has been refused. */
  values: Record<string, string> | undefined;
}

export const FormContext = createContext<FormState>({ marked: false, messages: {}, values: undefined });

/** What a page's frame gives every form on it: hidden fields, and an ear for refusals. */
export const FormFrame = createContext<{
  fields: Record<string, string>;
  onRefused?: ((refused: Refused) => void) | undefined;
}>({ fields: {} });

/** The frame's hidden fields, for what is sent without a form; it too tells the frame of its refusal. */
export function useFormFrame(refused: Refused | undefined): Record<string, string> {
  const { fields, onRefused } = useContext(FormFrame);
  useEffect(() => {
    if (refused) onRefused?.(refused);
  }, [refused, onRefused]);
  return fields;
}

/**
 * A form that works before, with and without script. The browser checks what it can with the fields' own
 * constraints and our words; the server's answer is final. The first wrong field takes the focus.
 */
export function Form(props: {
  intent?: string;
  refused?: Refused | undefined;
  /** A refusal shown elsewhere (under a field, say) is not repeated above the button. */
  quiet?: boolean;
  /** Marks required fields with an asterisk, and says what it means. */
  marked?: boolean;
  /** Asks the browser to fill nothing in, and to remember nothing. */
  autoComplete?: "off" | undefined;
  action?: string;
  className?: string;
  children: ReactNode;
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
  onChange?: (event: FormEvent<HTMLFormElement>) => void;
}) {
  const { intent = "", className = "space-y-5", autoComplete, children } = props;
  const refused = props.refused?.intent === intent ? props.refused : undefined;
  const { t } = useTexts();
  const fields = useFormFrame(refused);
  const form = useRef<HTMLFormElement>(null);
  const [local, setLocal] = useState<Record<string, string>>({});
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());

  const [answers, countAnswer] = useState(0);

  // A new answer of the server is judged afresh.
  useEffect(() => {
    if (!refused) return;
    setEdited(new Set());
    setLocal({});
    countAnswer((count) => count + 1);
  }, [refused]);
  // Only now are its errors on the page: a field that was being edited had hidden its own.
  useEffect(() => {
    if (answers > 0) focusFirstError(form.current);
  }, [answers]);

  const fromServer = Object.fromEntries(
    (refused?.problem?.errors ?? [])
      .filter(({ field }) => !edited.has(field))
      .map((error) => [error.field, error.message]),
  );
  const messages = { ...fromServer, ...local };
  const general = refused && Object.keys(fromServer).length === 0 && edited.size === 0;

  function submit(event: FormEvent<HTMLFormElement>) {
    const found = Object.fromEntries(
      controls(event.currentTarget)
        .filter((control) => !control.validity.valid)
        .map((control) => [control.name, t(`field.${codeOf(control)}`)]),
    );
    setLocal(found);
    if (Object.keys(found).length > 0) {
      event.preventDefault();
      focusFirstError(event.currentTarget, found);
      return;
    }
    props.onSubmit?.(event);
  }

  function change(event: FormEvent<HTMLFormElement>) {
    const { name } = event.target as HTMLInputElement;
    if (local[name]) setLocal(({ [name]: _, ...others }) => others);
    if (!edited.has(name)) setEdited(new Set([...edited, name]));
    props.onChange?.(event);
  }

  return (
    <FormContext value={{ marked: props.marked ?? false, autoComplete, messages, values: refused?.values }}>
      <RouterForm
        ref={form}
        method="post"
        action={props.action}
        autoComplete={autoComplete}
        className={className}
        noValidate
        preventScrollReset
        onSubmit={submit}
        onInput={change}
      >
        {intent && <input type="hidden" name="intent" value={intent} />}
        {Object.entries(fields).map(([name, value]) => (
          // A refused form stays the one that was sent, whoever the page around it is shown to.
          <input key={name} type="hidden" name={name} value={refused?.values[name] ?? value} />
        ))}
        {children}
        {props.marked && <p className="mt-5 text-[0.8125rem] text-soft">* {t("form.required")}</p>}
        {general && !props.quiet && <RefusedText refused={refused} />}
      </RouterForm>
    </FormContext>
  );
}

/** Why a form was refused as a whole. */
export function RefusedText({ refused, className = "" }: { refused: Refused; className?: string }) {
  const { t } = useTexts();
  return (
    <p role="alert" className={`text-[0.9375rem] text-bad ${className}`}>
      {refused.problem?.detail ?? t("form.unreachable")}
    </p>
  );
}

/** What the visitor can see and fill in now; a step that is not shown yet is not judged yet. */
function controls(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.elements].filter(
    (element): element is HTMLInputElement =>
      element instanceof HTMLInputElement && element.name !== "" && element.checkVisibility(),
  );
}

/** Which of our sentences explains the browser's verdict. */
function codeOf({ validity, dataset, type }: HTMLInputElement): FieldCode {
  if (validity.valueMissing) return "required";
  if (dataset["code"]) return dataset["code"] as FieldCode;
  return type === "email" ? "email" : "invalid";
}

function focusFirstError(form: HTMLFormElement | null, found?: Record<string, string>): void {
  // After React has drawn the errors.
  requestAnimationFrame(() => {
    const wrong = controls(form ?? document.createElement("form")).find((control) =>
      found ? control.name in found : control.getAttribute("aria-invalid") === "true",
    );
    wrong?.focus();
  });
}

/** Says what happens, waits while it happens, and cannot be pressed twice. */
export function Submit({
  children,
  className = "button button-solid w-full",
}: {
  children: ReactNode;
  className?: string;
}) {
  const { t } = useTexts();
  const busy = useHeld(useNavigation().state !== "idle");
  return (
    <button
      type="submit"
      className={className}
      aria-disabled={busy || undefined}
      onClick={(event) => busy && event.preventDefault()}
    >
      {busy ? t("form.working") : children}
    </button>
  );
}

/** A quiet word that something has been done, read out as well. */
export function Done({ text }: { text: TextId | false | undefined }) {
  const { t } = useTexts();
  return (
    <div role="status" className={text ? "flex items-start gap-3 text-good" : "sr-only"}>
      {text && (
        <>
          <Icon name="check" className="mt-0.5 size-5 shrink-0" />
          {t(text)}
        </>
      )}
    </div>
  );
}
