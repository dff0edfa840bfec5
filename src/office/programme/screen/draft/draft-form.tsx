import { useTexts } from "#i18n/use-texts.tsx";
import { Field } from "#ui/form/field.tsx";
import type { FormTab, ProgrammePage } from "./editing.ts";
import { EventsForm } from "./events-form.tsx";
import { LinesForm } from "./lines-form.tsx";
import { PointsForm } from "./points-form.tsx";
import { RewardsForm } from "./rewards-form.tsx";
import { TiersForm } from "./tiers-form.tsx";
import type { DraftInHand } from "./use-draft.ts";

/** One part of the draft. */
export function DraftForm({ tab, page, draft }: { tab: FormTab; page: ProgrammePage; draft: DraftInHand }) {
  const { t } = useTexts();
  const { rules, change, errorOf } = draft;
  const editing = { rules, change, errorOf };
  const { NextIds, KnownEvents } = page;
  switch (tab) {
    case "points":
      return (
        <>
          <div className="programme-row">
            <Field
              name="label"
              label={t("office.programme.label")}
              maxLength={60}
              autoCapitalize="sentences"
              value={draft.label}
              onChange={({ target }) => draft.rename(target.value)}
            />
          </div>
          <PointsForm {...editing} />
        </>
      );
    case "lines":
      return <LinesForm {...editing} />;
    case "tiers":
      return <TiersForm {...editing} nextId={NextIds.Tier} />;
    case "events":
      return <EventsForm {...editing} known={KnownEvents} />;
    case "rewards":
      return <RewardsForm {...editing} nextId={NextIds.Reward} />;
  }
}
