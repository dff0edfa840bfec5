import { Link } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import type { readVersion } from "#office/programme/calls.ts";
import type { ProgrammePage } from "#office/programme/screen/draft/editing.ts";
import { Label, RowAction } from "#office/screen/controls/controls.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import type { ResponseBody } from "#platform/api/api.ts";
import { Table } from "#ui/table.tsx";
import { Comparison } from "./comparison.tsx";
import { Preview } from "./preview.tsx";

const tones = { current: "good", scheduled: "gold", past: "soft", withdrawn: "soft" } as const;

/** Every version. One that has not begun can be withdrawn. */
export function Versions({ page, onOpen }: { page: ProgrammePage; onOpen: (version: number) => void }) {
  const { t } = useTexts();
  const { moment } = useFormats();
  return (
    <Table
      label={t("office.programme.tab.versions")}
      headings={[
        t("office.programme.version"),
        t("office.programme.start"),
        t("office.programme.publishedBy"),
        t("office.team.state"),
      ]}
      actions={t("office.actions")}
    >
      {page.Versions.map(({ Version, Label: label, StartsAt, PublishedBy, State }) => {
        const name = label ? `${Version}, ${label}` : String(Version);
        return (
          <tr key={Version} className={State === "past" || State === "withdrawn" ? "past" : undefined}>
            <td>{name}</td>
            <td>{Version === 1 ? t("office.programme.always") : moment(StartsAt)}</td>
            <td>{PublishedBy ?? "–"}</td>
            <td>
              <Label tone={tones[State]}>{t(`office.programme.versionState.${State}`)}</Label>
            </td>
            <td className="buttons">
              <span className="row">
                <Link to={`/programme?version=${Version}`} aria-label={`${t("office.programme.read")}, ${name}`}>
                  {t("office.programme.read")}
                </Link>
                {State === "scheduled" && (
                  <RowAction label={t("office.programme.withdraw")} of={name} bad onClick={() => onOpen(Version)} />
                )}
              </span>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

/** An older or a later version beside today's. */
export function OldVersion({ page, version }: { page: ProgrammePage; version: ResponseBody<typeof readVersion> }) {
  const { t } = useTexts();
  const { moment } = useFormats();
  const { Current } = page;
  return (
    <div className="programme">
      <div>
        <PageHead
          title={version.Label ?? t("office.programme.versionNumber", { version: version.Version })}
          note={version.Version === 1 ? t("office.programme.always") : moment(version.StartsAt)}
        >
          <Link className="button" to="/programme">
            {t("office.programme.toToday")}
          </Link>
        </PageHead>
        <Comparison
          before={Current.Rules}
          after={version.Rules}
          headings={[
            t("office.programme.todayVersion", { version: Current.Version }),
            t("office.programme.versionNumber", { version: version.Version }),
          ]}
        />
      </div>
      <Preview rules={version.Rules} source={{ Version: String(version.Version) }} stale={false} />
    </div>
  );
}
