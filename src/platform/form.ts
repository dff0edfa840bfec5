import { type ActionFunctionArgs, data, redirect } from "react-router";
import { type Locale, localeOfPath, localePath, namesLocale } from "#i18n/locale.ts";
import { type Call, CallFailed, callContext } from "./client.ts";
import type { Problem } from "./refusal.ts";

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
    try {
      return await act({ form, intent, call: context.get(callContext), request, locale, go });
    } catch (error) {
      const failed = error instanceof CallFailed ? error : undefined;
      // A fetch that never arrived is a TypeError; anything else unknown is a fault.
      if (!failed && !(error instanceof TypeError)) throw error;
      // A fault, or a session that ended meanwhile: no form can mend that, the error page leads on.
      if (failed?.status === 500 || failed?.problem?.code === "not_signed_in") throw error;
      const refused: Refused = { ok: false, intent, problem: failed?.problem, values };
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
