import type { ReactNode } from "react";
import type { Refused } from "#platform/form.ts";
import { Form } from "#ui/form.tsx";

/** A form that moves points: with a key, so that pressing twice acts once. */
export function ClubForm(props: {
  intent: string;
  /** What it acts on, where the page has several of the same intent. */
  subject?: number;
  idempotencyKey: string;
  refused: Refused | undefined;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Form intent={props.intent} refused={props.refused} className={props.className ?? "space-y-5"}>
      {/* Several forms share the page's key; what each does is part of its own. */}
      <input
        type="hidden"
        name="IdempotencyKey"
        value={[props.idempotencyKey, props.intent, props.subject].join(".")}
      />
      {props.children}
    </Form>
  );
}
