import { useEffect, useRef } from "react";
import { Drape } from "./fabric/drape.tsx";

/** What deserves a picture, by its number. */
const stills: Record<string, number> = { join: 1, return: 3, event: 5 };

/**
 * What has just been done, at the top of the page or of a section, also read out by a screen reader. The press may have
 * been far below: it comes into view and takes the focus.
 */
export function StatusMessage({ message, moment }: { message: string | undefined; moment: string | undefined }) {
  const element = useRef<HTMLDivElement>(null);
  const still = message ? stills[moment ?? ""] : undefined;
  useEffect(() => {
    if (!message) return;
    element.current?.focus({ preventScroll: true });
    element.current?.scrollIntoView({ block: "nearest" });
  }, [message]);
  return (
    <div
      ref={element}
      role="status"
      tabIndex={-1}
      data-moment={message && moment}
      className={message ? "mb-8 scroll-mt-24 bg-linen p-5 font-display text-2xl leading-snug" : "sr-only"}
    >
      {still && (
        <span className="moment-picture">
          <Drape name="cotton-square" still={still} />
        </span>
      )}
      {still ? <span className="moment-words">{message}</span> : message}
    </div>
  );
}
