import { createContext, type FormEvent, useContext, useEffect, useMemo, useState } from "react";
import { Form as RouterForm, useNavigation } from "react-router";
import type { TextId, Texts } from "#i18n/texts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Refused } from "#platform/api/client/form.ts";
import { Icon } from "#ui/icon.tsx";
import { Form, type FormFailure, FormMessage, type FormProps, fieldsOf } from "./form.tsx";

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

/** A form that is sent to its page's action. It works before, with and without script. */
export function PageForm({
  intent = "",
  quiet = false,
  className = "space-y-5",
  ...props
}: Omit<FormProps, "failure" | "message"> & {
  intent?: string;
  refused?: Refused | undefined;
  /** A refusal shown elsewhere (under a field, say) is not repeated below the fields. */
  quiet?: boolean;
  /** Where it is sent, if not to the address of the page with all its parameters. */
  action?: string | undefined;
  /** With the page's key, submitting it twice acts once. */
  idempotencyKey?: string;
  /** What it acts on, where the page has several of the same intent. */
  subject?: number;
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
}) {
  const { action, idempotencyKey, subject, children, onSubmit, ...form } = props;
  const refused = props.refused?.intent === intent ? props.refused : undefined;
  const { t } = useTexts();
  const fields = useFormFrame(refused);
  const failure = useMemo(() => refused && failureOf(refused, t), [refused, t]);
  const key = useIdempotencyKey([idempotencyKey, intent, subject].join("."), refused);
  return (
    <Form
      {...form}
      as={RouterForm}
      attributes={{ method: "post", action, preventScrollReset: true }}
      className={className}
      message={quiet ? "none" : "below"}
      failure={failure}
      busy={useNavigation().state !== "idle"}
      onSubmit={(_, event) => {
        onSubmit?.(event);
        return !event.defaultPrevented;
      }}
    >
      {intent && <input type="hidden" name="intent" value={intent} />}
      {idempotencyKey && <input type="hidden" name="IdempotencyKey" value={key} />}
      {Object.entries(fields).map(([name, value]) => (
        // A refused form keeps the values it was sent with, no matter who is signed in now.
        <input key={name} type="hidden" name={name} value={refused?.values[name] ?? value} />
      ))}
      {children}
    </Form>
  );
}

/**
 * Several forms share the page's key; intent and subject make each form's own. Without a response the server may have acted
 * all the same: until there is one, the form keeps the key it was sent with, so that a retry is idempotent.
 */
function useIdempotencyKey(own: string, refused: Refused | undefined): string {
  const [retryKey, setRetryKey] = useState<string>();
  if (refused) {
    const answered = refused.problem !== undefined && refused.problem.status < 500;
    const sent = answered ? undefined : refused.values["IdempotencyKey"];
    if (sent !== retryKey) setRetryKey(sent);
  }
  return retryKey ?? own;
}

const failureOf = ({ problem, values }: Refused, t: Texts["t"]): FormFailure => ({
  detail: problem?.detail ?? t("form.unreachable"),
  fields: fieldsOf(problem),
  values,
});

/** Why a form was refused as a whole. */
export function RefusedText({ refused, className }: { refused: Refused; className?: string }) {
  const { t } = useTexts();
  return <FormMessage failure={failureOf(refused, t)} {...(className && { className })} />;
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
