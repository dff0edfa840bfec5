import { useState } from "react";
import { useRevalidator } from "react-router";

/** The panel that is open beside a page, and the words about what was done last. */
export function useDone<Open>() {
  const [open, setOpen] = useState<Open>();
  const [done, setDone] = useState("");
  const { revalidate } = useRevalidator();
  return {
    open,
    setOpen: (panel: Open) => {
      setDone("");
      setOpen(panel);
    },
    close: () => setOpen(undefined),
    /** Closes the panel, or opens another in its place, and reads the page again. */
    finish: (words: string, next?: Open) => {
      setOpen(next);
      setDone(words);
      void revalidate();
    },
    status: (
      <p role="status" className={done && "office-done"}>
        {done}
      </p>
    ),
  };
}
