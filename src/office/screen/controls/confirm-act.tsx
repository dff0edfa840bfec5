import type { ReactNode } from "react";
import type { EndpointName, Input, ResponseBody } from "#platform/api/api.ts";
import { Confirm } from "./confirm.tsx";
import { useAct } from "./use-act.tsx";

/** Asks, and then makes one call. */
export function ConfirmAct<W extends EndpointName>({
  line,
  input,
  title,
  text,
  children,
  action,
  onDone,
  onClose,
}: {
  line: W;
  input: Input<W>;
  title: string;
  text: string;
  /** What is read before it is confirmed, below the text. */
  children?: ReactNode;
  action: string;
  onDone: (answer: ResponseBody<W>) => void;
  onClose: () => void;
}) {
  const { act, busy, failure } = useAct(line);
  const confirm = async () => {
    const answer = await act(input);
    if (answer) onDone(answer);
  };
  return (
    <Confirm
      title={title}
      text={text}
      action={action}
      busy={busy}
      failure={failure}
      onConfirm={confirm}
      onClose={onClose}
    >
      {children}
    </Confirm>
  );
}
