import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useTexts } from "#i18n/use-texts.tsx";
import "./camera.css";
import { type CameraFault, faultOf, lightOf, openCamera, readCode } from "./camera-stream.ts";

type State = "asking" | "running" | CameraFault;

/**
 * The rear camera, until it has read a code: then `onRead` is called with it, and `onClose`. Removing the component switches
 * the camera off.
 */
export function Camera({ onRead, onClose }: { onRead: (text: string) => void; onClose: () => void }) {
  const { t } = useTexts();
  const titleId = useId();
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<State>("asking");
  const [light, setLight] = useState<(on: boolean) => Promise<void>>();
  const [lit, setLit] = useState(false);
  const read = useEffectEvent((text: string) => {
    onRead(text);
    onClose();
  });

  useEffect(() => {
    const closed = new AbortController();
    const run = async () => {
      const element = video.current;
      if (!element) return;
      const stream = await openCamera(closed.signal);
      // Unplugged, or the permission was withdrawn.
      for (const track of stream.getTracks()) track.addEventListener("ended", () => setState("missing"));
      element.srcObject = stream;
      await element.play();
      setState("running");
      setLight(() => lightOf(stream));
      const text = await readCode(element, closed.signal);
      if (text !== undefined) read(text);
    };
    run().catch((error: unknown) => {
      if (!closed.signal.aborted) setState(faultOf(error));
    });
    return () => closed.abort();
  }, []);

  const close = useRef<HTMLButtonElement>(null);
  const closeByKey = useEffectEvent(({ key }: KeyboardEvent) => key === "Escape" && onClose());
  useEffect(() => {
    close.current?.focus({ preventScroll: true });
    addEventListener("keydown", closeByKey);
    return () => removeEventListener("keydown", closeByKey);
  }, []);

  const isFault = state !== "asking" && state !== "running";
  return (
    <section aria-labelledby={titleId} className="camera">
      <h2 id={titleId}>{t("till.camera.title")}</h2>
      <div className="camera-picture" aria-hidden="true" hidden={isFault}>
        <video ref={video} muted playsInline tabIndex={-1} />
        <Frame />
      </div>
      <p role={isFault ? "alert" : "status"}>{t(sentences[state])}</p>
      <div className="camera-buttons">
        {light && (
          <button
            type="button"
            className="button"
            aria-pressed={lit}
            onClick={() => {
              setLit(!lit);
              void light(!lit);
            }}
          >
            {t("till.camera.light")}
          </button>
        )}
        <button ref={close} type="button" className="button" onClick={onClose}>
          {t("till.camera.close")}
        </button>
      </div>
    </section>
  );
}

/** Four corners: where to hold the code. */
function Frame() {
  return (
    <svg viewBox="0 0 4 3" aria-hidden="true">
      <path d="M.4 .8V.5H.8M3.2 .5h.4v.3M3.6 2.2v.3h-.4M.8 2.5H.4v-.3" />
    </svg>
  );
}

const sentences = {
  asking: "till.camera.asking",
  running: "till.camera.hint",
  refused: "till.camera.refused",
  missing: "till.camera.missing",
  unready: "till.camera.unready",
} as const;
