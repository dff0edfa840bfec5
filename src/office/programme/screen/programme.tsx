import { useState } from "react";
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { readRules, readVersion } from "#office/programme/calls.ts";
import { Conflict } from "#office/programme/screen/draft/conflict.tsx";
import { DraftForm } from "#office/programme/screen/draft/draft-form.tsx";
import { type FormTab, formTabs } from "#office/programme/screen/draft/editing.ts";
import { useDraft } from "#office/programme/screen/draft/use-draft.ts";
import { WrongNumbers } from "#office/programme/screen/draft/wrong-numbers.tsx";
import { FormError, Label } from "#office/screen/controls/controls.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import { browserCall } from "#platform/api/client/client.ts";
import { Comparison, RulesTable } from "./comparison.tsx";
import { Preview } from "./preview.tsx";
import { type Open, PublicationPanels, Steps } from "./publication.tsx";
import { SimulationPart } from "./simulation.tsx";
import { OldVersion, Versions } from "./versions.tsx";

export async function loadProgramme({ request }: LoaderFunctionArgs) {
  const version = new URL(request.url).searchParams.get("version");
  const [page, old] = await Promise.all([
    browserCall(readRules),
    version ? browserCall(readVersion, { Version: version }) : undefined,
  ]);
  return { page, old };
}

type Tab = "differences" | FormTab | "versions";

/** The rules of today, and the draft of what comes next. */
export function Programme() {
  const { page, old } = useLoaderData<typeof loadProgramme>();
  return old ? <OldVersion page={page} version={old} /> : <TodayAndDraft />;
}

function TodayAndDraft() {
  const { t } = useTexts();
  const { moment } = useFormats();
  const { page } = useLoaderData<typeof loadProgramme>();
  const { Current, Draft } = page;
  const { revalidate } = useRevalidator();
  const panel = useDone<Open>();
  const [tab, setTab] = useState<Tab>("differences");
  const draft = useDraft(page, revalidate);
  const { rules, dirty, problems } = draft;
  const changes = Draft ? draft.changes : 0;
  const tabs: Tab[] = Draft ? ["differences", ...formTabs, "versions"] : ["differences", "versions"];
  const shown = tabs.includes(tab) ? tab : "differences";
  const gaps = (one: Tab) => problems.filter(({ tab: where }) => where === one).length;
  return (
    <div className="programme">
      <div>
        <PageHead
          title={Draft ? draft.label : t("office.menu.programme")}
          note={
            Draft
              ? t("office.programme.saved", {
                  person: Draft.SavedBy ?? t("office.programme.file"),
                  at: moment(Draft.SavedAt),
                })
              : t("office.programme.inForce", { version: Current.Version })
          }
        >
          {!Draft && (
            <button type="button" className="button solid" disabled={draft.busy} onClick={draft.begin}>
              {t("office.programme.begin")}
            </button>
          )}
          {Draft && (
            <>
              <button type="button" className="button" onClick={() => panel.setOpen("discard")}>
                {t("office.programme.discard")}
              </button>
              <button
                type="button"
                className={dirty ? "button solid" : "button"}
                disabled={draft.busy || !dirty}
                onClick={draft.save}
              >
                {t("office.programme.save")}
              </button>
              {Draft.State === "asked" && (
                <button type="button" className="button" onClick={() => panel.setOpen("back")}>
                  {t("office.programme.back")}
                </button>
              )}
              {Draft.State === "asked" && !Draft.AskedByMe && (
                <button
                  type="button"
                  className={dirty ? "button" : "button solid"}
                  disabled={dirty}
                  onClick={() => panel.setOpen("publish")}
                >
                  {t("office.programme.publish")}
                </button>
              )}
              {Draft.State === "open" && (
                <button
                  type="button"
                  className={dirty ? "button" : "button solid"}
                  disabled={dirty || changes === 0}
                  onClick={() => (problems[0] ? setTab(problems[0].tab) : panel.setOpen("ask"))}
                >
                  {t("office.programme.ask")}
                </button>
              )}
            </>
          )}
        </PageHead>
        {Draft && (
          <p className="programme-state">
            <Label tone="gold">{t(`office.programme.state.${Draft.State}`)}</Label>
            {dirty && <span className="gold">{t("office.programme.unsaved")}</span>}
          </p>
        )}
        {page.Versions.filter(({ State }) => State === "scheduled").map(({ Version, Label: label, StartsAt }) => (
          <p key={Version} className="banner">
            {t("office.programme.comes", { version: label ? `${Version}, ${label}` : Version, date: moment(StartsAt) })}{" "}
            <Link to={`/programme?version=${Version}`}>{t("office.programme.read")}</Link>
          </p>
        ))}
        {Draft && <WrongNumbers rules={rules} />}
        {panel.status}
        {draft.conflict ? <Conflict draft={draft} theirs={Draft} /> : <FormError failure={draft.failure} />}
        <nav className="tabs programme-tabs" aria-label={t("office.programme.tabs")}>
          {tabs.map((one) => (
            <button key={one} type="button" aria-current={one === shown || undefined} onClick={() => setTab(one)}>
              {t(!Draft && one === "differences" ? "office.programme.today" : `office.programme.tab.${one}`)}
              {one === "differences" && changes > 0 && <span className="gold"> {changes}</span>}
              {gaps(one) > 0 && <span className="bad"> {t("office.programme.gaps", { count: gaps(one) })}</span>}
            </button>
          ))}
        </nav>
        {shown === "differences" &&
          (Draft ? (
            <Comparison
              before={Current.Rules}
              after={rules}
              headings={[
                t("office.programme.todayVersion", { version: Current.Version }),
                t("office.programme.thisDraft"),
              ]}
            />
          ) : (
            <RulesTable rules={Current.Rules} />
          ))}
        {shown === "versions" && <Versions page={page} onOpen={panel.setOpen} />}
        {shown !== "differences" && shown !== "versions" && <DraftForm tab={shown} page={page} draft={draft} />}
        {Draft && shown === "differences" && (
          <>
            <SimulationPart revision={Draft.Revision} dirty={dirty} />
            <Steps draft={Draft} />
          </>
        )}
      </div>
      <Preview
        key={Draft ? Draft.Revision : Current.Version}
        rules={Draft?.Rules ?? Current.Rules}
        source={Draft ? {} : { Version: String(Current.Version) }}
        stale={dirty}
      />
      <PublicationPanels page={page} panel={panel} />
    </div>
  );
}
