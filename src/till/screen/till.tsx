import { lazy, StrictMode, Suspense, useCallback, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { openTexts } from "#i18n/catalogues.ts";
import { defaultLocale, localeOfCode, localePath } from "#i18n/locale.ts";
import type { Catalogue } from "#i18n/texts.ts";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { browserCall } from "#platform/api/client.ts";
import { postBatch } from "#till/calls.ts";
import { nextReceiptNumber } from "#till/queue/receipt-number.ts";
import { dismissRefused, enqueue, useSaleQueue } from "#till/queue/sale-queue.ts";
import { drainQueue, type PostBatch, sendQueue } from "#till/queue/send-queue.ts";
import { codeKind } from "#till/scan/code-kind.ts";
import { listenForScans } from "#till/scan/scanner.ts";

const tillTexts = import.meta.glob<Catalogue>("/messages/*.json", { query: "?till", import: "default" });

const Camera = lazy(async () => ({ default: (await import("#till/scan/camera.tsx")).Camera }));

const post: PostBatch = (items, sentAt) => browserCall(postBatch, { Items: JSON.stringify(items), SentAt: sentAt });

/** Provisional: tries the scanner, the camera and the queue. */
function Till() {
  const [read, setRead] = useState("");
  const [camera, setCamera] = useState(false);
  const { waiting, refused } = useSaleQueue();
  const say = useCallback((text: string) => {
    const { kind, value } = codeKind(text);
    setRead(`${kind} ${value}`);
  }, []);
  useEffect(() => listenForScans(say), [say]);
  useEffect(() => drainQueue(post), []);
  const sell = async () =>
    enqueue({
      ReceiptNumber: await nextReceiptNumber(),
      SoldAt: new Date().toISOString(),
      Amount: "10.00",
      IdStaff: 1,
    });
  return (
    <main className="wrap py-8">
      <output>{read}</output>
      <p>{waiting.length}</p>
      <button type="button" className="button" onClick={() => setCamera(true)}>
        camera
      </button>
      <button type="button" className="button" onClick={sell}>
        sell
      </button>
      <button type="button" className="button" onClick={() => sendQueue(post)}>
        send
      </button>
      {refused.map(({ ReceiptNumber, detail }) => (
        <button key={ReceiptNumber} type="button" onClick={() => dismissRefused(ReceiptNumber)}>
          {detail}
        </button>
      ))}
      {camera && (
        <Suspense>
          <Camera onRead={say} onClose={() => setCamera(false)} />
        </Suspense>
      )}
    </main>
  );
}

async function show() {
  const locale = localeOfCode(document.documentElement.lang) ?? defaultLocale;
  const [texts, own] = await Promise.all([openTexts(locale), tillTexts[`/messages/${locale}.json`]?.()]);
  if (own) texts.add(own);
  const root = document.getElementById("till");
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <TextsProvider texts={texts}>
        <Till />
      </TextsProvider>
    </StrictMode>,
  );
  if (import.meta.env.PROD)
    navigator.serviceWorker?.register("/till-worker.js", { scope: localePath(locale, "/till") }).catch(() => {});
}

void show();
