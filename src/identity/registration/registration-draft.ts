import type { Locale } from "#i18n/locale.ts";
import { isoDay, typedDay } from "#identity/fields/iso-day.ts";

/**
 * The registration's draft: what was typed, without the password, in the browser's storage until it is submitted.
 * A draft of this visit is restored by itself; one of an earlier visit (`abandonedVisit`) is offered.
 */
const storageKey = "cercle.registration";
const visitKey = "cercle.registration.visit";
const draftDays = 7;

export interface Draft {
  values: Record<string, string>;
  savedAt: number;
}

export function readDraft(locale: Locale): { draft: Draft | undefined; abandonedVisit: boolean } {
  try {
    const draft: Draft | undefined = JSON.parse(localStorage.getItem(storageKey) ?? "null") ?? undefined;
    if (!draft || Date.now() - draft.savedAt > draftDays * 86_400_000)
      return { draft: undefined, abandonedVisit: false };
    draft.values = { ...draft.values, Birthday: birthdayIn(locale, draft.values["Birthday"] ?? "") };
    return { draft, abandonedVisit: sessionStorage.getItem(visitKey) === null };
  } catch {
    // Storage may be forbidden; then there is no draft.
    return { draft: undefined, abandonedVisit: false };
  }
}

/** A complete date is stored in ISO format. Another one is from an earlier release, where English put the month first. */
function birthdayIn(locale: Locale, stored: string): string {
  if (/^\d{4}-/.test(stored)) return typedDay(stored, locale);
  return isoDay(stored) === stored ? stored : "";
}

export function saveDraft(form: HTMLFormElement): void {
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form))
    if (!/password/i.test(name) && value !== "") values[name] = String(value);
  delete values["intent"];
  if (values["Birthday"]) values["Birthday"] = isoDay(values["Birthday"]);
  try {
    sessionStorage.setItem(visitKey, "1");
    localStorage.setItem(storageKey, JSON.stringify({ values, savedAt: Date.now() } satisfies Draft));
  } catch {
    // Storage may be full or forbidden; the form itself still holds everything.
  }
}

export function resumeDraft(): void {
  try {
    sessionStorage.setItem(visitKey, "1");
  } catch {
    // Then the draft is offered again after a reload, which does no harm.
  }
}

export function deleteDraft(): void {
  try {
    localStorage.removeItem(storageKey);
    sessionStorage.removeItem(visitKey);
  } catch {
    // Storage may be forbidden; then there is no draft.
  }
}
