import { createContext, type FormEvent, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { Form as RouterForm, useNavigation } from "react-router";
import type { TextId } from "#i18n/texts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Refused } from "#platform/api/form.ts";
import type { FieldCode } from "#platform/refusal.ts";
import { Icon } from "./icon.tsx";
import { useMinimumDisplayTime } from "./use-minimum-display-time.ts";
import { isVisible } from "./visible.ts";

/** As long as the button shows at least that it is working. */
const doubleClickMs = 200;

interface FormState {
  marked: boolean;
  autoComplete?: "off" | undefined;
  messages: Record<string, string>;
  /** What was typed, once the form has been refused. */
  values: Record<string, string> | undefined;
}

export const FormContext = createContext<FormState>({ marked: false, messages: {}, values: undefined });

/** What a layout gives every form inside it: hidden fields, and a callback for refusals. */
export const FormFrame = createContext<{
  fields: Record<string, string>;
  onRefused?: ((refused: Refused) => void) | undefined;
}>({ fields: {} });

/** The layout's hidden fields, for what is sent without a form; its refusals reach the callback too. */
export function useFormFrame(refused: Refused | undefined): Record<string, string> {
  const { fields, onRefused } = useContext(FormFrame);
  useEffect(() => {
    if (refused) onRefused?.(refused);
  }, [refused, onRefused]);
  return fields;
}

/**
 * A form that works before, with and without script. The browser checks the fields' constraints and shows our texts; the
 * server decides. The first invalid field takes the focus.
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
  const justSubmitted = useRef(false);
  const [local, setLocal] = useState<Record<string, string>>({});
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());

  const [refusals, countRefusal] = useState(0);

  // A new refusal replaces what was shown before.
  useEffect(() => {
    if (!refused) return;
    justSubmitted.current = false;
    setEdited(new Set());
    setLocal({});
    countRefusal((count) => count + 1);
  }, [refused]);
  // Its errors are on the page only after that: an edited field hides its own.
  useEffect(() => {
    if (refusals > 0) focusFirstError(form.current);
  }, [refusals]);

  const fromServer = Object.fromEntries(
    (refused?.problem?.errors ?? [])
      .filter(({ field }) => !edited.has(field))
      .map((error) => [error.field, error.message]),
  );
  const messages = { ...fromServer, ...local };
  const general = refused && Object.keys(fromServer).length === 0 && edited.size === 0;

  function submit(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent;
    // A second button of the form may need only some of the fields: the server says which.
    const unchecked = submitter instanceof HTMLButtonElement && submitter.formNoValidate;
    const found = Object.fromEntries(
      (unchecked ? [] : controls(event.currentTarget))
        .filter((control) => !control.validity.valid)
        .map((control) => [control.name, t(`field.${codeOf(control)}`)]),
    );
    setLocal(found);
    if (Object.keys(found).length > 0) {
      event.preventDefault();
      focusFirstError(event.currentTarget, found);
      return;
    }
    // The second press of a double click may come before React has disabled the button.
    if (justSubmitted.current) return event.preventDefault();
    props.onSubmit?.(event);
    if (event.defaultPrevented) return;
    justSubmitted.current = true;
    setTimeout(() => {
      justSubmitted.current = false;
    }, doubleClickMs);
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
          // A refused form keeps the values it was sent with, no matter who is signed in now.
          <input key={name} type="hidden" name={name} value={refused?.values[name] ?? value} />
        ))}
        {children}
        {props.marked && <p className="mt-5 text-xs text-soft">* {t("form.required")}</p>}
        {general && !props.quiet && <RefusedText refused={refused} />}
      </RouterForm>
    </FormContext>
  );
}

/** Why a form was refused as a whole. */
export function RefusedText({ refused, className = "" }: { refused: Refused; className?: string }) {
  const { t } = useTexts();
  return (
    <p role="alert" className={`text-md text-danger ${className}`}>
      {refused.problem?.detail ?? t("form.unreachable")}
    </p>
  );
}

/** The visible controls; a step that is not shown yet is not validated yet. */
function controls(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.elements].filter(
    (element): element is HTMLInputElement =>
      element instanceof HTMLInputElement && element.name !== "" && isVisible(element),
  );
}

/** The field error that stands for the browser's validity state. */
function codeOf({ validity, dataset, type }: HTMLInputElement): FieldCode {
  if (validity.valueMissing) return "required";
  if (dataset["code"]) return dataset["code"] as FieldCode;
  return type === "email" ? "email" : "invalid";
}

function focusFirstError(form: HTMLFormElement | null, found?: Record<string, string>): void {
  const focused = document.activeElement;
  // After React has rendered the errors. A customer who has gone on to another field meanwhile stays there.
  requestAnimationFrame(() => {
    if (document.activeElement !== focused && document.activeElement !== document.body) return;
    const wrong = controls(form ?? document.createElement("form")).find((control) =>
      found ? control.name in found : control.getAttribute("aria-invalid") === "true",
    );
    wrong?.focus();
  });
}

/** A submit button that shows that the form is being sent, and cannot be pressed twice. */
export function Submit({
  children,
  className = "button button-solid w-full",
  name,
  value,
}: {
  children: ReactNode;
  className?: string;
  /** What this button sends, when the form has several. */
  name?: string;
  value?: string;
}) {
  const { t } = useTexts();
  const busy = useMinimumDisplayTime(useNavigation().state !== "idle");
  return (
    <button
      type="submit"
      name={name}
      value={value}
      className={className}
      aria-disabled={busy || undefined}
      onClick={(event) => busy && event.preventDefault()}
    >
      {busy ? t("form.working") : children}
    </button>
  );
}

/** A confirmation that something has been done, announced to screen readers. */
export function Done({ text }: { text: TextId | false | undefined }) {
  const { t } = useTexts();
  return (
    <div role="status" className={text ? "flex items-start gap-3 text-success" : "sr-only"}>
      {text && (
        <>
          <Icon name="check" className="mt-0.5 size-5 shrink-0" />
          {t(text)}
        </>
      )}
    </div>
  );
}
