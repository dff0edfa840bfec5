import type { ReactNode } from "react";

/** In place of a list that has nothing yet: a sentence, the next step, and on customers' pages a picture. */
export function Empty({ picture, children }: { picture?: ReactNode; children: ReactNode }) {
  return (
    <div className="empty">
      {picture && <span className="relative isolate aspect-[4/3] w-28 shrink-0 print:hidden">{picture}</span>}
      <p>{children}</p>
    </div>
  );
}
