import type { ReactNode } from "react";
import {
  createStaticRouter,
  UNSAFE_ErrorResponseImpl as ErrorResponse,
  isRouteErrorResponse,
  type RouteObject,
  type StaticHandlerContext,
} from "react-router";
import type { HydrationData } from "./router-internals.ts";

/*
 * The server's half of what the product relies on in React Router although its documentation promises none of it; the
 * browser's half is `router-internals.ts`, and `router-internals.test.ts` checks both.
 */

/** What may be shown of an error. */
export interface PublicError {
  status: number;
  title: string;
}

/**
 * The loaded page with every error that is no error response yet replaced by one. `publish` says what may be shown of it;
 * its status becomes the page's.
 */
export function withPublicErrors(
  context: StaticHandlerContext,
  publish: (error: unknown) => PublicError,
): StaticHandlerContext {
  if (!context.errors) return context;
  let { statusCode } = context;
  const errors = Object.entries(context.errors).map(([id, error]) => {
    if (isRouteErrorResponse(error)) return [id, error];
    const shown = publish(error);
    statusCode = shown.status;
    return [id, new ErrorResponse(shown.status, shown.title, shown)];
  });
  return { ...context, statusCode, errors: Object.fromEntries(errors) };
}

/** What the browser's router starts with, ready for JSON. All errors must be error responses by now. */
export function hydrationDataOf({ loaderData, actionData, errors }: StaticHandlerContext): HydrationData {
  return { loaderData, actionData, errors: errors && serialised(errors) };
}

/** The form in which React Router's browser half reads error responses back. */
function serialised(errors: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(errors).map(([id, error]) => {
      const { status, statusText, data, internal } = error as ErrorResponse & { internal?: boolean };
      return [id, { status, statusText, data, internal, __type: "RouteErrorResponse" }];
    }),
  );
}

/**
 * The router that renders a loaded page, given the matched routes alone. It prepares all its routes again for every page,
 * there are many, and it renders none but the matched ones.
 */
export function createMatchedRouter(context: StaticHandlerContext): ReturnType<typeof createStaticRouter> {
  const branch = context.matches.reduceRight<RouteObject[]>(
    (children, { route }) => [route.index ? route : ({ ...route, children } as RouteObject)],
    [],
  );
  return createStaticRouter(branch, context);
}

/** The router that renders a part of a loaded page by itself, where no data of the page is at hand. */
export function createPartRouter(part: ReactNode, loaded: StaticHandlerContext) {
  const route = { id: "part", path: "*", element: part };
  // A path that begins with two slashes would be read as the address of another site.
  const location = { ...loaded.location, pathname: loaded.location.pathname.replace(/^\/+/, "/") };
  const matches = [{ route, params: {}, pathname: location.pathname, pathnameBase: "/" }];
  const context = { ...loaded, location, matches, loaderData: {}, actionData: null, errors: null };
  return { router: createStaticRouter([route], context), context };
}
