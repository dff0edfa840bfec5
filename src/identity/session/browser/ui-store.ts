import type { TextId } from "#i18n/texts.ts";
import { pagePaths } from "#identity/paths.ts";
import { createStore } from "#ui/browser/store.ts";

export interface UiState {
  /** Narrower than 768 px. */
  isMobile: boolean;
  /** Narrower than 1024 px. */
  isTablette: boolean;
  /** Where the next sign-in redirects to. */
  loginGoTo: string;
  /** A page is loading, or a form is being submitted. */
  loading: boolean;
  /** A registration was started on an earlier visit and never submitted. */
  abandonedVisit: boolean;
}

export const uiStore = createStore<UiState>({
  isMobile: false,
  isTablette: false,
  loginGoTo: pagePaths.informations,
  loading: false,
  abandonedVisit: false,
});

export function setUi(part: Partial<UiState>): void {
  const state = uiStore.get();
  const next = { ...state, ...part };
  const keys = Object.keys(part) as (keyof UiState)[];
  if (keys.some((key) => next[key] !== state[key])) uiStore.set(next);
}

/** The one message the frame shows, whatever the page. */
export const messageStore = createStore<TextId | undefined>(undefined);

/** Updates the store as the window's width changes. */
export function watchWidth(): void {
  for (const [name, query] of [
    ["isMobile", "(width < 768px)"],
    ["isTablette", "(width < 1024px)"],
  ] as const) {
    const media = matchMedia(query);
    setUi({ [name]: media.matches });
    media.addEventListener("change", ({ matches }) => setUi({ [name]: matches }));
  }
}
