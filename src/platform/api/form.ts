import {
  type ActionFunctionArgs,
  createContext,
  data,
  redirect,
  type ShouldRevalidateFunctionArgs,
} from "react-router";
import { type Locale, localeOfPath, localePath, namesLocale } from "#i18n/locale.ts";
import type { Problem } from "#platform/refusal.ts";
import { type Call, CallFailed, callContext, callFor, forCustomerField } from "./client.ts";

/** What a form gets back when it was refused: the problem, and what was typed, passwords apart. */
export interface Refused {
  ok: false;
  /** Which of the page's forms it was. */
  intent: string;
  /** Absent when no answer came at all. */
  problem: Problem | undefined;
  values: Record<string, string>;
}

const secret = /password|token/i;

/** The refusal of the page's action, for the loaders that run after it in the same request. */
export const refusalContext = createContext<Refused | null>(null);

export interface Submission {
  form: FormData;
  intent: string;
  call: Call;
  request: Request;
  locale: Locale;
  /** To a page of this site, in the language of the page, unless the address names one itself. */
  go(path: string): Response;
}

/**
 * A page's action, the same with and without script. A refusal goes back into the form it came from;
 * faults of ours go to the error page.
 */
export function formAction<Done>(act: (submission: Submission) => Promise<Done>) {
  return async ({ request, context }: ActionFunctionArgs): Promise<Done | Refused> => {
    const form = await request.formData();
    const intent = String(form.get("intent") ?? "");
    // Before the action turns it into what the API takes: the form gets back what was typed.
    const values = typedInto(form);
    const locale = localeOfPath(new URL(request.url).pathname);
    const go = (path: string) => redirect(namesLocale(path) ? path : localePath(locale, path));
    const madeFor = values[forCustomerField];
    const anyone = context.get(callContext);
    const call = madeFor ? callFor(anyone, madeFor) : anyone;
    try {
      return await act({ form, intent, call, request, locale, go });
    } catch (error) {
      const failed = error instanceof CallFailed ? error : undefined;
      // A fetch that never arrived is a TypeError; anything else unknown is a fault.
      if (!failed && !(error instanceof TypeError)) throw error;
      // No form can mend a fault: the error page leads on.
      if (failed?.status === 500) throw error;
      const refused: Refused = { ok: false, intent, problem: failed?.problem, values };
      context.set(refusalContext, refused);
      // React Router unwraps this again: the page sees what is inside, the browser the status.
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
 * Whether to load the page again after a refusal: what was refused often shows that the page is out of date.
 * Not when there was no answer, nor when the session is lost: the page would be replaced, with all that was typed.
 */
export function revalidatesAfter(refused: Refused): boolean {
  return refused.problem !== undefined && refused.problem.status < 500 && !lostSession(refused);
}

/** For pages: the router's own rule skips the loaders after every refusal. */
export function shouldRevalidate({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return isRefused(actionResult) ? revalidatesAfter(actionResult) : defaultShouldRevalidate;
}
