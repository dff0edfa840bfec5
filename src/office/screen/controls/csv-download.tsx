import { useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import { type Failure, failureOf } from "#office/screen/failure.ts";
import { CallFailed } from "#platform/api/client/client.ts";
import { FormError } from "./controls.tsx";
import { saveFile } from "./save-file.ts";
import { useWithProof } from "./use-act.tsx";

/** A list as a file. It is counted while it comes; the server says about how many rows there will be. */
export function CsvDownload({ path, fileName, format }: { path: string; fileName: string; format?: string }) {
  const { t, locale } = useTexts();
  const withProof = useWithProof();
  const [progress, setProgress] = useState<{ rows: number; estimated: number }>();
  const [failure, setFailure] = useState<Failure>();
  const download = async () => {
    setFailure(undefined);
    setProgress({ rows: 0, estimated: 0 });
    try {
      const response = await withProof(() => openCsv(path, locale));
      const estimated = Number(response.headers.get("x-estimated-rows"));
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      let rows = -1;
      const reader = response.body?.getReader();
      for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
        chunks.push(read.value);
        rows += read.value.filter((byte) => byte === 10).length;
        setProgress({ rows: Math.max(0, rows), estimated });
      }
      saveFile(new Blob(chunks, { type: "text/csv" }), fileName);
    } catch (error) {
      const failed = failureOf(error);
      setFailure({ ...failed, detail: failed.detail ?? t("office.network") });
    } finally {
      setProgress(undefined);
    }
  };
  return (
    <>
      <button type="button" className="button" disabled={progress !== undefined} onClick={download}>
        {progress ? t("office.csvBusy", { rows: progress.rows }) : (format ?? t("office.csv"))}
        {progress && <progress className="office-progress" max={progress.estimated || 1} value={progress.rows} />}
      </button>
      <FormError failure={failure} />
    </>
  );
}

async function openCsv(path: string, locale: string): Promise<Response> {
  const response = await fetch(path, { headers: { "accept-language": locale }, credentials: "same-origin" });
  if (response.ok) return response;
  throw new CallFailed(response.status, await response.json().catch(() => undefined));
}
