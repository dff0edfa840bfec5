import { useState } from "react";
import type { TextId } from "#i18n/texts.ts";
import { useTexts } from "#i18n/use-texts.tsx";
import { checkRules, type Rules } from "#loyalty/programme/rules.ts";
import { compareRules, same } from "#loyalty/programme/versions/differences.ts";
import { saveDraft } from "#office/programme/calls.ts";
import { useAct } from "#office/screen/controls/use-act.tsx";
import type { FormTab, ProgrammePage } from "./editing.ts";

/** What is being written, on top of the revision it began with. */
interface Edited {
  base: number;
  label: string;
  rules: Rules;
}

export type DraftInHand = ReturnType<typeof useDraft>;

/** The draft in hand: what was saved, and what was typed since. */
export function useDraft({ Current, Draft }: ProgrammePage, revalidate: () => Promise<void>) {
  const { t } = useTexts();
  const { act, busy, failure } = useAct(saveDraft);
  const [edited, setEdited] = useState<Edited>();
  const saved = { base: Draft?.Revision ?? 0, label: Draft?.Label ?? "", rules: Draft?.Rules ?? Current.Rules };
  const { base, label, rules } = edited ?? saved;
  const dirty = edited !== undefined && (label !== saved.label || !same(rules, saved.rules));

  const send = async ({ base: revision, label: name, rules: written }: Edited) => {
    const Revision = String(revision);
    const answer = await act({ Revision, Label: name, Rules: JSON.stringify(written) });
    await revalidate();
    if (answer) setEdited(undefined);
  };
  const found = checkRules(rules).map(({ field, code }) => ({
    field,
    message: t(code === "required" ? "office.programme.required" : (`field.${code}` as TextId)),
    tab: tabOf(field),
  }));
  return {
    label,
    rules,
    dirty,
    busy,
    failure,
    /** Another person has saved since this began. */
    conflict: edited !== undefined && failure?.code === "draft_changed" && base !== Draft?.Revision,
    problems: found,
    changes: compareRules(Current.Rules, rules).filter(({ changes }) => changes.length > 0).length,
    errorOf: (field: string) => found.find((problem) => problem.field === field)?.message,
    change: (changes: Partial<Rules>) => setEdited({ base, label, rules: { ...rules, ...changes } }),
    rename: (name: string) => setEdited({ base, label: name, rules }),
    begin: () => send({ base: 0, label: t("office.programme.newDraft"), rules: Current.Rules }),
    save: () => send({ base, label: label || t("office.programme.newDraft"), rules }),
    /** One's own on top of theirs. */
    overwrite: () => send({ base: Draft?.Revision ?? 0, label, rules }),
    /** Theirs; one's own is given up. */
    takeTheirs: () => setEdited(undefined),
  };
}

function tabOf(field: string): FormTab {
  const [part] = field.split(".");
  if (part === "earnsOn" || part === "lineCodes") return "lines";
  return part === "tiers" || part === "events" || part === "rewards" ? part : "points";
}
