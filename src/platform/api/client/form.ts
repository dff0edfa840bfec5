import {
  type ActionFunctionArgs,
  createContext,
  data,
  redirect,
  redirectDocument,
  type ShouldRevalidateFunctionArgs,
} from "react-router";
import { type Locale, localeOfPath, localePath, namesLocale } from "#i18n/locale.ts";
import type { Problem } from "#platform/refusal.ts";
import { callContext } from "./call-context.ts";
import { type Call, CallFailed, callFor, forCustomerField } from "./client.ts";

/** What a form gets back when it was refused: the problem, and what was typed, without passwords and tokens. */
export interface Refused {
  ok: false;
  /** Which of the page's forms it was. */
  intent: string;
  /** Absent when there was no response. */
  problem: Problem | undefined;
  values: Record<string, string>;
}

const secret = /password|token|^code$|^response$/i;

/** The refusal of the page's action, for the loaders that run after it in the same request. */
export const refusalContext = createContext<Refused | null>(null);

export interface Submission {
  form: FormData;
  intent: string;
  call: Call;
  request: Request;
  locale: Locale;
  /** Redirects to a page of this site, in the language of the page, unless the path has one. */
  go(path: string): Response;
}

/** A web shop waits behind these addresses for the sign-in: they are no pages of ours, and have no language. */
const waitsForSignIn = (path: string) => path.startsWith("/oidc/");

/** Redirects to a page of this site, in this language unless the path has one. */
export function redirectTo(path: string, locale: Locale): Response {
  if (waitsForSignIn(path)) return redirectDocument(path);
  return redirect(namesLocale(path) ? path : localePath(locale, path));
}

let begun = 0;

/** How many actions this browser has begun. Each may have changed what a loader read before. */
export const actionsBegun = (): number => begun;

/**
 * A page's action, the same with and without script. A refusal is returned to the form it came from, and so is a fault of
 * the API, since what was typed would be lost on the error page.
 */
export function formAction<Done>(act: (submission: Submission) => Promise<Done>) {
  return async ({ request, context }: ActionFunctionArgs): Promise<Done | Refused> => {
    if (!import.meta.env.SSR) begun += 1;
    const form = await request.formData();
    const intent = String(form.get("intent") ?? "");
    // Before the action converts it for the API: the form gets back what was typed.
    const values = typedInto(form);
    const locale = localeOfPath(new URL(request.url).pathname);
    const go = (path: string) => redirectTo(path, locale);
    const madeFor = values[forCustomerField];
    const anyone = context.get(callContext);
    const call = madeFor ? callFor(anyone, madeFor) : anyone;
    try {
      return await act({ form, intent, call, request, locale, go });
    } catch (error) {
      const failed = error instanceof CallFailed ? error : undefined;
      // A fetch without a response throws a TypeError; any other error is a fault of the page itself.
      if (!failed && !(error instanceof TypeError)) throw error;
      const refused: Refused = { ok: false, intent, problem: failed?.problem, values };
      context.set(refusalContext, refused);
      // React Router unwraps this: the page gets the refusal, the response its status.
      return data(refused, { status: failed?.status ?? 503 }) as unknown as Refused;
    }
  };
}

function typedInto(form: FormData): Record<string, string> {
  return Object.fromEntries(
    [...form].filter((entry): entry is [string, string] => typeof entry[1] === "string" && !secret.test(entry[0])),
  );
}

export function isRefused(result: unknown): result is Refused {
  return typeof result === "object" && result !== null && "ok" in result && result.ok === false;
}

/** The session has ended, or is no longer the one the form was made for. */
export function lostSession({ problem }: Refused): boolean {
  return problem?.code === "not_signed_in" || problem?.code === "other_customer";
}

/**
 * Whether to load the page again after a refusal, which often shows that the page is out of date. Not without a response,
 * nor when the session is lost: the page would be replaced, with all that was typed.
 */
export function revalidatesAfter(refused: Refused): boolean {
  return refused.problem !== undefined && refused.problem.status < 500 && !lostSession(refused);
}

/** For pages: by default the router runs no loaders after a refusal. */
export function shouldRevalidate({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return isRefused(actionResult) ? revalidatesAfter(actionResult) : defaultShouldRevalidate;
}
