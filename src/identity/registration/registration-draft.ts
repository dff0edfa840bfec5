import type { Locale } from "#i18n/locale.ts";
import { isoDay, typedDay } from "#identity/fields/birthday-field.tsx";

/**
 * What a visitor typed into the registration, kept in their own browser until it is sent: never the password.
 * A draft of this very visit comes back by itself; one that was left earlier (`abandonedVisit`) is offered.
 */
const place = "cercle.registration";
const thisVisit = "cercle.registration.visit";
const keptDays = 7;

export interface Draft {
  values: Record<string, string>;
  savedAt: number;
}

export function readDraft(locale: Locale): { draft: Draft | undefined; abandonedVisit: boolean } {
  try {
    const draft: Draft | undefined = JSON.parse(localStorage.getItem(place) ?? "null") ?? undefined;
    if (!draft || Date.now() - draft.savedAt > keptDays * 86_400_000)
      return { draft: undefined, abandonedVisit: false };
    draft.values = { ...draft.values, Birthday: birthdayIn(locale, draft.values["Birthday"] ?? "") };
    return { draft, abandonedVisit: sessionStorage.getItem(thisVisit) === null };
  } catch {
    // Storage may be forbidden; then nothing is remembered.
    return { draft: undefined, abandonedVisit: false };
  }
}

/** A whole date is kept as the wire writes it. Another one is of an earlier release, where English began with the month. */
function birthdayIn(locale: Locale, kept: string): string {
  if (/^\d{4}-/.test(kept)) return typedDay(kept, locale);
  return isoDay(kept) === kept ? kept : "";
}

export function saveDraft(form: HTMLFormElement): void {
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form))
    if (!/password/i.test(name) && value !== "") values[name] = String(value);
  delete values["intent"];
  if (values["Birthday"]) values["Birthday"] = isoDay(values["Birthday"]);
  try {
    sessionStorage.setItem(thisVisit, "1");
    localStorage.setItem(place, JSON.stringify({ values, savedAt: Date.now() } satisfies Draft));
  } catch {
    // Storage may be full or forbidden; the form itself still holds everything.
  }
}

export function resumeDraft(): void {
  try {
    sessionStorage.setItem(thisVisit, "1");
  } catch {
    // Then the offer comes again after a reload, which does no harm.
  }
}

export function dropDraft(): void {
  try {
    localStorage.removeItem(place);
    sessionStorage.removeItem(thisVisit);
  } catch {
    // Nothing was kept, so nothing is left.
  }
}
