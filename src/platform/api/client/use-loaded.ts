import { useActionData, useLoaderData } from "react-router";

/** A loader or an action, whatever it takes. */
type Page = (...args: never[]) => unknown;

/** The data of the page's loader. It is sent as JSON of plain values, so its type is what the loader returns. */
export function useLoaded<L extends Page>(): Awaited<ReturnType<L>> {
  return useLoaderData() as Awaited<ReturnType<L>>;
}

/** The result of the page's action, if it ran; a redirect never reaches the page. */
export function useActed<A extends Page>(): Exclude<Awaited<ReturnType<A>>, Response> | undefined {
  return useActionData() as Exclude<Awaited<ReturnType<A>>, Response> | undefined;
}
