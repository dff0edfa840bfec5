import type { ReactNode } from "react";
import { Drape } from "#ui/fabric/drape.tsx";

/** In place of a list that has nothing yet: a square of cloth, a sentence, the next step. */
export function EmptyState({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-center gap-5">
      <span className="relative isolate size-[4.5rem] shrink-0 print:hidden">
        <Drape name="cotton-square" />
      </span>
      <p className="text-soft">{children}</p>
    </div>
  );
}
