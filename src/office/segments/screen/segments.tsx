import { useState } from "react";
import { useLoaderData } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { ConfirmAct } from "#office/screen/controls/confirm-act.tsx";
import { Label, RowAction } from "#office/screen/controls/controls.tsx";
import { List } from "#office/screen/controls/list.tsx";
import { useDone } from "#office/screen/controls/use-done.tsx";
import { useFormats } from "#office/screen/controls/use-formats.ts";
import { PageHead } from "#office/screen/page.tsx";
import * as calls from "#office/segments/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";
import { browserCall } from "#platform/api/client/client.ts";
import { ExportPanel } from "./export-panel.tsx";
import { SegmentEditor } from "./segment-editor.tsx";

export const loadSegments = () => browserCall(calls.listSegments);
type SavedSegment = ResponseBody<typeof calls.listSegments>["Segments"][number];
type Open = { form: "archive" | "export"; segment: SavedSegment };

/** Segments, and the one that is being written. */
export function Segments() {
  const { t } = useTexts();
  const { moment } = useFormats();
  const page = useLoaderData<typeof loadSegments>();
  const { open, setOpen, close, finish, status } = useDone<Open>();
  const [edited, setEdited] = useState<SavedSegment | "new">();
  const version = ({ Version, SavedBy }: SavedSegment) =>
    t("office.segments.version", { version: Version, person: SavedBy });
  if (edited)
    return (
      <SegmentEditor
        page={page}
        segment={edited === "new" ? undefined : edited}
        onDone={() => {
          setEdited(undefined);
          finish(t("office.segments.saved"));
        }}
        onClose={() => setEdited(undefined)}
      />
    );
  return (
    <>
      <PageHead title={t("office.menu.segments")} note={t("office.segments.note")}>
        <button type="button" className="button solid" onClick={() => setEdited("new")}>
          {t("office.segments.add")}
        </button>
      </PageHead>
      {status}
      <List
        label={t("office.menu.segments")}
        rows={page.Segments}
        columns={[
          { heading: t("office.segments.name"), value: ({ Name }) => Name },
          {
            heading: t("office.programme.version"),
            value: (segment) => `${version(segment)}, ${moment(segment.SavedAt)}`,
            by: ({ SavedAt }) => SavedAt,
          },
        ]}
        actions={t("office.actions")}
        empty={t("office.segments.none")}
        csvName="segments.csv"
        row={(segment) => (
          <tr key={segment.IdSegment}>
            <td>
              {segment.Name} {segment.Sends && <Label tone="gold">{t("office.segments.sends")}</Label>}
            </td>
            <td>
              {version(segment)}, {moment(segment.SavedAt)}
            </td>
            <td className="buttons">
              <span className="row">
                <RowAction label={t("office.segments.edit")} of={segment.Name} onClick={() => setEdited(segment)} />
                <RowAction
                  label={t("office.segments.export")}
                  of={segment.Name}
                  onClick={() => setOpen({ form: "export", segment })}
                />
                <RowAction
                  label={t("office.segments.archive")}
                  of={segment.Name}
                  onClick={() => setOpen({ form: "archive", segment })}
                />
              </span>
            </td>
          </tr>
        )}
      />
      {open?.form === "export" && <ExportPanel segment={open.segment} onClose={close} />}
      {open?.form === "archive" && (
        <ConfirmAct
          line={calls.archiveSegment}
          input={{ IdSegment: String(open.segment.IdSegment) }}
          title={t("office.segments.archiveTitle", { name: open.segment.Name })}
          text={t("office.segments.archiveText")}
          action={t("office.segments.archive")}
          onDone={() => finish(t("office.segments.archived"))}
          onClose={close}
        />
      )}
    </>
  );
}
