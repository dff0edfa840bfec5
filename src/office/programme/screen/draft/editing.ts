import type { Rules } from "#loyalty/programme/rules.ts";
import type { readRules } from "#office/programme/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";

export type ProgrammePage = ResponseBody<typeof readRules>;

/** The parts of the form. */
export const formTabs = ["points", "lines", "tiers", "events", "rewards"] as const;
export type FormTab = (typeof formTabs)[number];

/** What a part of the form needs: the rules, a way to change them, and what is wrong beside each field. */
export interface Editing {
  rules: Rules;
  change: (changes: Partial<Rules>) => void;
  errorOf: (field: string) => string | undefined;
}

/** The list with one of its things changed. */
export const replaced = <One>(list: readonly One[], index: number, changes: Partial<One>): One[] =>
  list.map((one, n) => (n === index ? { ...one, ...changes } : one));

export const without = <One>(list: readonly One[], index: number): One[] => list.filter((_, n) => n !== index);
