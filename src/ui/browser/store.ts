import { useSyncExternalStore } from "react";

export interface Store<State> {
  /** What the server renders, and the browser while it hydrates. */
  readonly initial: State;
  get(): State;
  set(next: State): void;
  subscribe(listener: () => void): () => void;
}

/** Client state of this tab, outside React's tree: code that is no component may read and set it. */
export function createStore<State>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    initial,
    get: () => state,
    set(next) {
      // A server has many visitors at once: one would see what another has set.
      if (typeof document === "undefined") throw new Error("A store is set in the browser alone.");
      if (Object.is(next, state)) return;
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<State, Part>(store: Store<State>, select: (state: State) => Part): Part {
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.get()),
    () => select(store.initial),
  );
}
