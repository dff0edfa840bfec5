import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { CsvDownload } from "#office/screen/controls/csv-download.tsx";
import { Panel } from "#office/screen/controls/panel.tsx";
import { type ExportColumn, exportColumns } from "#office/segments/columns.ts";
import { Select } from "#ui/form/select.tsx";

/** Which channel, which columns, which form; then the file. */
export function ExportPanel({
  segment,
  onClose,
}: {
  segment: { IdSegment: number; Name: string };
  onClose: () => void;
}) {
  const { t } = useTexts();
  const [channel, setChannel] = useState("email");
  const [format, setFormat] = useState("csv");
  const [columns, setColumns] = useState<readonly ExportColumn[]>(["Email", "Firstname", "Language"]);
  const asked = new URLSearchParams({
    ...{ IdSegment: String(segment.IdSegment), Channel: channel, Format: format, Columns: columns.join(",") },
  });
  return (
    <Panel title={segment.Name} note={t("office.segments.exportNote")} onClose={onClose}>
      <div className="office-form">
        <Select
          name="Channel"
          label={t("office.segments.channel")}
          value={channel}
          options={[
            ["email", t("office.segments.choice.email")],
            ["sms", t("office.segments.choice.sms")],
          ]}
          onChange={({ target }) => setChannel(target.value)}
        />
        <Select
          name="Format"
          label={t("office.segments.format")}
          value={format}
          options={[
            ["csv", "CSV"],
            ["jsonl", "JSON Lines"],
          ]}
          onChange={({ target }) => setFormat(target.value)}
        />
        <fieldset className="programme-lines">
          <legend>{t("office.segments.columns")}</legend>
          {exportColumns.map((column) => (
            <label key={column} className="office-check">
              <input
                type="checkbox"
                checked={columns.includes(column)}
                onChange={({ target }) =>
                  setColumns(exportColumns.filter((one) => (one === column ? target.checked : columns.includes(one))))
                }
              />
              {t(`office.segments.column.${column}`)}
            </label>
          ))}
        </fieldset>
        {columns.length > 0 && (
          <CsvDownload
            path={`/api/office/segment/export?${asked}`}
            fileName={`segment-${segment.IdSegment}.${format}`}
            format={format === "csv" ? "CSV" : "JSON Lines"}
          />
        )}
      </div>
    </Panel>
  );
}
