import { type ReactNode, useState } from "react";
import type { Refused } from "#platform/api/form.ts";
import { Form } from "./form.tsx";

/** A form with an idempotency key: submitting it twice acts once. */
export function IdempotentForm(props: {
  intent: string;
  /** What it acts on, where the page has several of the same intent. */
  subject?: number;
  idempotencyKey: string;
  /** Where it is sent, if not to the address of the page with all its parameters. */
  action?: string;
  refused: Refused | undefined;
  className?: string;
  children: ReactNode;
}) {
  const { intent, refused } = props;
  // Without a response the server may have acted all the same: until there is one, the form keeps the key it was sent with,
  // so that a retry is idempotent.
  const [retryKey, setRetryKey] = useState<string>();
  if (refused?.intent === intent) {
    const answered = refused.problem !== undefined && refused.problem.status < 500;
    const sent = answered ? undefined : refused.values["IdempotencyKey"];
    if (sent !== retryKey) setRetryKey(sent);
  }
  const key = retryKey ?? [props.idempotencyKey, intent, props.subject].join(".");
  return (
    <Form intent={intent} action={props.action} refused={refused} className={props.className ?? "space-y-5"}>
      {/* Several forms share the page's key; intent and subject make each form's own. */}
      <input type="hidden" name="IdempotencyKey" value={key} />
      {props.children}
    </Form>
  );
}
