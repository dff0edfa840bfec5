import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { openParameter } from "#identity/paths.ts";
import type { Refused } from "#platform/api/client/form.ts";
import { Icon } from "#ui/icon.tsx";

/** Which forms are in a row: the one that was sent last is open. */
const intentsOf = {
  profile: /^profile$/,
  security: /^(email|password|passkey|device|other-devices|application|link|unlink)/,
  messages: /^messages$/,
  data: /^$/,
};

/** A row of the details: it shows its value, and opens alone. */
export function DetailsRow(props: {
  name: keyof typeof intentsOf;
  title: string;
  value: ReactNode;
  refused: Refused | undefined;
  done: string | undefined;
  children: ReactNode;
}) {
  const { name, refused, done } = props;
  const [search] = useSearchParams();
  const open = search.get(openParameter) === name || intentsOf[name].test(refused?.intent ?? done ?? " ");
  return (
    <details name="details" className="group/row border-line border-b" open={open || undefined}>
      <summary className="flex list-none items-baseline gap-x-6 py-6">
        <span className="min-w-0 grow sm:flex sm:items-baseline">
          <h2 className="text-3xl sm:w-1/2 sm:shrink-0">{props.title}</h2>
          <span className="mt-1 block text-soft sm:mt-0">{props.value}</span>
        </span>
        <Icon name="plus" className="size-4 shrink-0 group-open/row:hidden" />
        <Icon name="minus" className="hidden size-4 shrink-0 group-open/row:block" />
      </summary>
      <div className="row-body space-y-10 pt-2 pb-12">{props.children}</div>
    </details>
  );
}
