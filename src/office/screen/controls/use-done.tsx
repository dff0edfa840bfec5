import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";

/**
 * The panel that is open beside a page, and the words about what was done last. A panel that opens another, with what
 * no one can read again, does it by `setOpen`: a page that could not be read again would take it away.
 */
export function useDone<Open>() {
  const [open, setOpen] = useState<Open>();
  const [done, setDone] = useState<Done>(nothing);
  const { revalidate } = useRevalidator();
  return {
    open,
    setOpen: (panel: Open) => {
      setDone(nothing);
      setOpen(panel);
    },
    close: () => setOpen(undefined),
    /** What was said last is not so any more. */
    clear: () => setDone(nothing),
    /** Closes the panel and reads the page again; without words where the page itself says what is being done. */
    finish: (words = "") => {
      setOpen(undefined);
      setDone({ words });
      void revalidate();
    },
    status: <Status done={done} />,
  };
}

interface Done {
  words: string;
}
const nothing: Done = { words: "" };

/** It takes the focus: what was pressed may be gone, and the words may stand out of sight. */
function Status({ done }: { done: Done }) {
  const ref = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (done.words) ref.current?.focus();
  }, [done]);
  return (
    <p ref={ref} role="status" tabIndex={-1} className={done.words && "banner good"}>
      {done.words}
    </p>
  );
}
