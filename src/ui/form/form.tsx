import {
  createContext,
  type ElementType,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import type { FieldCode, Problem } from "#platform/refusal.ts";
import { useMinimumDisplayTime } from "#ui/browser/use-minimum-display-time.ts";
import { isVisible } from "#ui/browser/visible.ts";

/** As long as the button shows at least that it is working. */
const doubleClickMs = 200;

/** Why a form was refused. A new object is a new refusal. */
export interface FormFailure {
  /** About the form as a whole. */
  detail?: string | undefined;
  /** About single fields, by their names. */
  fields: Record<string, string>;
  /** What was typed, for a page that is rendered again. */
  values?: Record<string, string> | undefined;
}

/** What a response says about single fields. */
export const fieldsOf = (problem: Problem | undefined): FormFailure["fields"] =>
  Object.fromEntries((problem?.errors ?? []).map(({ field, message }) => [field, message]));

interface FormState {
  /** Whether a field that says nothing else must be filled in. At the till and in the back office the server alone decides. */
  required: boolean;
  marked: boolean;
  autoComplete?: "off" | undefined;
  busy: boolean;
  messages: Record<string, string>;
  values: Record<string, string> | undefined;
}

const noForm: FormState = { required: true, marked: false, busy: false, messages: {}, values: undefined };
export const FormContext = createContext(noForm);
/** For the root of the till and of the back office. */
export const staffForms: FormState = { ...noForm, required: false };

export interface FormProps {
  failure?: FormFailure | undefined;
  /** Where the refusal of the whole form is shown; `none` when it is shown elsewhere. */
  message?: "above" | "below" | "none";
  /** Marks required fields with an asterisk, and says what it means. */
  marked?: boolean | undefined;
  /** Asks the browser to fill nothing in, and to remember nothing. */
  autoComplete?: "off" | undefined;
  className?: string | undefined;
  children: ReactNode;
  onChange?: ((event: FormEvent<HTMLFormElement>) => void) | undefined;
}

/**
 * Every form: the browser checks the fields' constraints and our texts say what is wrong; the server decides. The first
 * invalid field takes the focus, a field that is edited loses its error, and a double click sends once.
 */
export function Form({
  as: Element = "form",
  attributes,
  busy,
  onSubmit,
  ...props
}: FormProps & {
  /** Another element that renders a form, such as the router's, with attributes of its own. */
  as?: ElementType;
  attributes?: object;
  busy: boolean;
  /** Sends the form; false when it did not. */
  onSubmit: (form: FormData, event: FormEvent<HTMLFormElement>) => unknown;
}) {
  const { failure, message = "above", marked = false, autoComplete, className } = props;
  const { t } = useTexts();
  const { required } = useContext(FormContext);
  const form = useRef<HTMLFormElement>(null);
  const justSubmitted = useRef(false);
  const [local, setLocal] = useState<Record<string, string>>({});
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
  const [failures, countFailure] = useState(0);

  // A new refusal replaces what was shown before.
  useEffect(() => {
    if (!failure) return;
    justSubmitted.current = false;
    setEdited(new Set());
    setLocal({});
    countFailure((count) => count + 1);
  }, [failure]);
  // Its errors are on the page only after that: an edited field hides its own.
  useEffect(() => {
    if (failures > 0) focusFirstError(form.current);
  }, [failures]);

  const fromServer = Object.fromEntries(Object.entries(failure?.fields ?? {}).filter(([field]) => !edited.has(field)));
  const isGeneral = Object.keys(fromServer).length === 0 && edited.size === 0;

  function submit(event: FormEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent as SubmitEvent;
    // A second button of the form may need only some of the fields: the server says which.
    const unchecked = !required || (submitter instanceof HTMLButtonElement && submitter.formNoValidate);
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
    if (onSubmit(new FormData(event.currentTarget), event) === false) return;
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

  const state = {
    required,
    marked,
    autoComplete,
    busy,
    messages: { ...fromServer, ...local },
    values: failure?.values,
  };
  return (
    <FormContext value={state}>
      <Element
        ref={form}
        autoComplete={autoComplete}
        className={className}
        noValidate
        {...attributes}
        onSubmit={submit}
        onInput={change}
      >
        {message === "above" && <FormMessage failure={failure} />}
        {props.children}
        {marked && <p className="mt-5 text-xs text-soft">* {t("form.required")}</p>}
        {message === "below" && isGeneral && <FormMessage failure={failure} />}
      </Element>
    </FormContext>
  );
}

/** For `onSubmit` of a form that is sent by a call: the browser does not send it. */
export const bySubmit =
  (send: (form: FormData) => unknown) =>
  (form: FormData, event: FormEvent): void => {
    event.preventDefault();
    send(form);
  };

/** Why a form or an action was refused as a whole. Above the fields it may be out of sight: it takes the focus there. */
export function FormMessage({ failure, className = "" }: { failure: FormFailure | undefined; className?: string }) {
  if (!failure?.detail) return null;
  return (
    <p role="alert" tabIndex={-1} className={`message ${className}`}>
      {failure.detail}
    </p>
  );
}

/** The visible controls; a step that is not shown yet is not validated yet. */
function controls(form: HTMLFormElement): HTMLInputElement[] {
  // What is read of an input, a list or a text area here, all three have.
  const all = [...form.querySelectorAll<HTMLInputElement>("input, select, textarea")];
  return all.filter((control) => control.name !== "" && isVisible(control));
}

/** The field error that stands for the browser's validity state. */
function codeOf({ validity, dataset, type }: HTMLInputElement): FieldCode {
  if (validity.valueMissing) return "required";
  if (dataset["code"]) return dataset["code"] as FieldCode;
  return type === "email" ? "email" : "invalid";
}

function focusFirstError(form: HTMLFormElement | null, found?: Record<string, string>): void {
  const focused = document.activeElement;
  // After React has rendered the errors. A person who has gone on to another field meanwhile stays there.
  requestAnimationFrame(() => {
    if (document.activeElement !== focused && document.activeElement !== document.body) return;
    if (!form) return;
    const wrong = controls(form).find((control) =>
      found ? control.name in found : control.getAttribute("aria-invalid") === "true",
    );
    (wrong ?? form.querySelector<HTMLElement>(":scope > .message:first-child"))?.focus();
  });
}

/** A submit button that shows that the form is being sent, and cannot be pressed twice. */
export function Submit({
  children,
  className = "button solid w-full",
  name,
  value,
  disabled,
}: {
  children: ReactNode;
  className?: string;
  /** What this button sends, when the form has several. */
  name?: string;
  value?: string;
  disabled?: boolean;
}) {
  const { t } = useTexts();
  const { busy } = useContext(FormContext);
  const working = useMinimumDisplayTime(busy);
  return (
    <button
      type="submit"
      name={name}
      value={value}
      className={className}
      disabled={disabled}
      aria-disabled={working || undefined}
      // Enter counts again as soon as there is a response, though the button still says that it works.
      onClick={(event) => busy && event.preventDefault()}
    >
      {working ? t("form.working") : children}
    </button>
  );
}
