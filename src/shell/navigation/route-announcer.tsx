import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigation } from "react-router";

/** The page last announced. Outside the component, because an error mounts the whole document again. */
let announced: string | undefined;

/**
 * A browser announces a new document to screen readers; a client-side navigation is announced here: the title is read out,
 * and the focus moves to the content, so that the next Tab continues from there.
 */
export function RouteAnnouncer() {
  const { pathname } = useLocation();
  const [title, setTitle] = useState("");
  useEffect(() => {
    const first = announced === undefined;
    if (announced === pathname) return;
    announced = pathname;
    // The browser has announced the document it loaded.
    if (first) return;
    setTitle(document.title);
    focusContent();
  }, [pathname]);
  useFocusFallback();
  return (
    <p role="status" className="sr-only">
      {title}
    </p>
  );
}

/** A submitted form may be gone from the page, and the focus with it: then it moves to the content. */
function useFocusFallback(): void {
  const { state } = useNavigation();
  const previous = useRef(state);
  useEffect(() => {
    const settled = previous.current !== "idle" && state === "idle";
    previous.current = state;
    if (settled && document.activeElement === document.body) focusContent();
  }, [state]);
}

function focusContent(): void {
  const main = document.querySelector("main");
  // A page may have set the focus itself.
  if (!main || main.contains(document.activeElement)) return;
  main.tabIndex = -1;
  main.addEventListener("blur", () => main.removeAttribute("tabindex"), { once: true });
  main.focus({ preventScroll: true });
}
