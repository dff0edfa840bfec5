import { useEffect, useRef } from "react";

/**
 * What has just been done, at the top of the page or of a section, also read out by a screen reader. The press may have
 * been far below: it comes into view and takes the focus.
 */
export function StatusMessage({ message, moment }: { message: string | undefined; moment: string | undefined }) {
  const element = useRef<HTMLDivElement>(null);
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
      {message}
    </div>
  );
}
