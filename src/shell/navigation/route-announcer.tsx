import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigation } from "react-router";

/** The page last told. Outside the component, because an error draws the whole document anew. */
let told: string | undefined;

/**
 * A browser announces a new document; a page that the script put in place is announced here: its title is read out, and the
 * focus goes to its content, so that the next Tab continues from there.
 */
export function RouteAnnouncer() {
  const { pathname } = useLocation();
  const [title, setTitle] = useState("");
  useEffect(() => {
    const first = told === undefined;
    if (told === pathname) return;
    told = pathname;
    // The browser itself has announced the document it loaded.
    if (first) return;
    setTitle(document.title);
    focusContent();
  }, [pathname]);
  useKeptFocus();
  return (
    <p role="status" className="sr-only">
      {title}
    </p>
  );
}

/** A form that has done its work may be gone, and the focus with it: then it goes to the content, not to nowhere. */
function useKeptFocus(): void {
  const { state } = useNavigation();
  const before = useRef(state);
  useEffect(() => {
    const settled = before.current !== "idle" && state === "idle";
    before.current = state;
    if (settled && document.activeElement === document.body) focusContent();
  }, [state]);
}

function focusContent(): void {
  const main = document.querySelector("main");
  // A page that chose where the focus goes knows better.
  if (!main || main.contains(document.activeElement)) return;
  main.tabIndex = -1;
  main.addEventListener("blur", () => main.removeAttribute("tabindex"), { once: true });
  main.focus({ preventScroll: true });
}
