import type { ReactNode } from "react";

/** In place of a list that has nothing yet: a sentence, the next step, and on customers' pages a square of cloth. */
export function Empty({ picture, children }: { picture?: ReactNode; children: ReactNode }) {
  return (
    <div className="empty">
      {picture && <span className="relative isolate size-[4.5rem] shrink-0 print:hidden">{picture}</span>}
      <p>{children}</p>
    </div>
  );
}
