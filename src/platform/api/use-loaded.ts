import { useActionData, useLoaderData } from "react-router";

/** A loader or an action, whatever it takes. */
type Page = (...args: never[]) => unknown;

/** What the page's loader brought. Everything crosses as JSON of plain values, so its type is the loader's own. */
export function useLoaded<L extends Page>(): Awaited<ReturnType<L>> {
  return useLoaderData() as Awaited<ReturnType<L>>;
}

/** What the page's action answered, if it ran; a redirect never reaches the page. */
export function useActed<A extends Page>(): Exclude<Awaited<ReturnType<A>>, Response> | undefined {
  return useActionData() as Exclude<Awaited<ReturnType<A>>, Response> | undefined;
}
