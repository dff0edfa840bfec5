import { useTexts } from "#i18n/use-texts.tsx";
import { Comparison } from "#office/programme/screen/comparison.tsx";
import type { ProgrammePage } from "./editing.ts";
import type { DraftInHand } from "./use-draft.ts";

/** Another person has saved meanwhile: theirs and one's own side by side, and nothing is lost until one decides. */
export function Conflict({ draft, theirs }: { draft: DraftInHand; theirs: ProgrammePage["Draft"] }) {
  const { t } = useTexts();
  return (
    <section className="banner" role="alert">
      <h2>{t("office.programme.conflict")}</h2>
      <p>
        {theirs
          ? t("office.programme.conflictText", { person: theirs.SavedBy ?? t("office.programme.file") })
          : t("office.programme.conflictGone")}
      </p>
      {theirs && (
        <Comparison
          before={theirs.Rules}
          after={draft.rules}
          headings={[t("office.programme.theirs"), t("office.programme.mine")]}
        />
      )}
      <div className="programme-buttons">
        <button type="button" className="button" onClick={draft.takeTheirs}>
          {t("office.programme.takeTheirs")}
        </button>
        <button type="button" className="button" disabled={draft.busy} onClick={draft.overwrite}>
          {t("office.programme.keepMine")}
        </button>
      </div>
    </section>
  );
}
