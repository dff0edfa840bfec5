import { createContext, type ReactNode, useContext } from "react";
import { localePath } from "./locale.ts";
import type { Texts } from "./texts.ts";

const TextsContext = createContext<Texts | undefined>(undefined);

export function TextsProvider({ texts, children }: { texts: Texts; children: ReactNode }) {
  return <TextsContext value={texts}>{children}</TextsContext>;
}

export function useTexts(): Texts {
  const texts = useContext(TextsContext);
  if (!texts) throw new Error("useTexts outside TextsProvider");
  return texts;
}

/** Paths of pages in the language of the current page. */
export function useLocalePath(): (path: string) => string {
  const { locale } = useTexts();
  return (path) => localePath(locale, path);
}
