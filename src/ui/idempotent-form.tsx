import { type ReactNode, useState } from "react";
import type { Refused } from "#platform/api/form.ts";
import { Form } from "./form.tsx";

/** A form that moves points: with a key, so that pressing twice acts once. */
export function ClubForm(props: {
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
  // Without an answer the points may have moved all the same: until there is one, the form keeps the key it was sent with,
  // whatever else the page does meanwhile.
  const [unanswered, setUnanswered] = useState<string>();
  if (refused?.intent === intent) {
    const answered = refused.problem !== undefined && refused.problem.status < 500;
    const sent = answered ? undefined : refused.values["IdempotencyKey"];
    if (sent !== unanswered) setUnanswered(sent);
  }
  const key = unanswered ?? [props.idempotencyKey, intent, props.subject].join(".");
  return (
    <Form intent={intent} action={props.action} refused={refused} className={props.className ?? "space-y-5"}>
      {/* Several forms share the page's key; what each does is part of its own. */}
      <input type="hidden" name="IdempotencyKey" value={key} />
      {props.children}
    </Form>
  );
}
