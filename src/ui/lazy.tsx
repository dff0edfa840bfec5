import { type ComponentType, Fragment, lazy, Suspense } from "react";
import { loadTexts } from "#i18n/catalogues.ts";
import type { TextPart } from "#i18n/text-parts.ts";
import { whenIdle } from "#ui/browser/when-idle.ts";

const waiting: (() => void)[] = [];
let pressed = typeof document === "undefined";
if (!pressed) {
  const loadAll = () => {
    pressed = true;
    for (const load of waiting.splice(0)) load();
  };
  for (const press of ["pointerdown", "keydown"]) addEventListener(press, loadAll, { once: true, capture: true });
}

/** When what a page can be shown without is loaded: at the first press, or when the browser is idle. The server has it at once. */
function wanted(): Promise<void> {
  if (pressed) return Promise.resolve();
  return new Promise((resolve) => {
    waiting.push(resolve);
    whenIdle(resolve);
  });
}

/** Without a network the code cannot be loaded, and no one may have asked for it; who calls it gets the failure. */
const ignore = () => {};

/** A function that is called after a press, as a page's action is: its code is loaded later. */
export function later<Args extends unknown[], Result>(
  load: () => Promise<(...args: Args) => Promise<Result>>,
): (...args: Args) => Promise<Result> {
  const loaded = wanted().then(load);
  loaded.catch(ignore);
  return async (...args) => (await loaded)(...args);
}

const rendered: Promise<unknown>[] = [];

/** The server renders all parts of a page, so it waits until they are loaded, with the parts of those. */
export async function allLoaded(): Promise<void> {
  for (let known = 0; known < rendered.length; ) {
    known = rendered.length;
    await Promise.all(rendered);
  }
}

/**
 * A part of a page that is closed at first, or that can be used as the plain HTML that the server has rendered: its code and
 * its texts are loaded later, and if that fails it stays plain HTML. One that few customers see is loaded only when `shown`.
 * A part `within` another has no boundary of its own: what was shown before stays until it is loaded.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { texts = [], when, within }: { texts?: TextPart[]; when?: "shown"; within?: true } = {},
) {
  let loading: Promise<ComponentType<Props>> | undefined;
  const loadOnce = () => {
    loading ??= wanted().then(async () => (await Promise.all([load(), ...texts.map(loadTexts)]))[0]);
    return loading;
  };
  let Part: ComponentType<Props> = lazy<ComponentType<Props>>(
    () => new Promise((resolve) => loadOnce().then((component) => resolve({ default: component }), ignore)),
  );
  if (import.meta.env.SSR)
    rendered.push(
      loadOnce().then((component) => {
        Part = component;
      }),
    );
  else if (!when) loadOnce().catch(ignore);
  const Boundary = within ? Fragment : Suspense;
  return (props: Props) => (
    <Boundary>
      <Part {...props} />
    </Boundary>
  );
}

/** The shared parts of pages, by their number. */
export const sharedParts: ComponentType[] = [];

/** Stands in the rendered document for a shared part, until the server puts it there. */
export const sharedPlace = /<i data-part="(\d+)"><\/i>/g;

/**
 * A lazy part that is the same for everybody at an address in one language, such as a menu. It has no props and no id of
 * React's, which would depend on its place. The server renders it once for an address (src/pages/pages.server.tsx).
 */
export function sharedPart(load: () => Promise<ComponentType>, options: { texts?: TextPart[] } = {}): ComponentType {
  const Part = lazyPart(load, options);
  if (!import.meta.env.SSR) return Part;
  const number = sharedParts.push(Part) - 1;
  return () => <i data-part={number} />;
}
