import { openDecoder } from "./decoder.ts";

/** Refused by the person or the browser; none there, or taken by another app; the reader could not be loaded. */
export type CameraFault = "refused" | "missing" | "unready";

/** Between two pictures: on a slow tablet the screen must stay usable. */
const pauseMs = 80;

class ReaderNotLoaded extends Error {}

/** The rear camera's stream; it is stopped when the signal is aborted, even if permission is given only then. */
export async function openCamera(signal: AbortSignal): Promise<MediaStream> {
  // Absent outside a secure context.
  if (!navigator.mediaDevices) throw new DOMException("No camera here.", "NotFoundError");
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } },
  });
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop);
  signal.throwIfAborted();
  return stream;
}

/** Looks at picture after picture until it reads a code; undefined when the signal is aborted. */
export async function readCode(video: HTMLVideoElement, signal: AbortSignal): Promise<string | undefined> {
  const decode = await openDecoder().catch((cause: unknown) => {
    throw new ReaderNotLoaded("The reader could not be loaded.", { cause });
  });
  while (!signal.aborted) {
    const text = await decode(video);
    if (text !== undefined) return signal.aborted ? undefined : text;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return undefined;
}

export function faultOf(error: unknown): CameraFault {
  if (error instanceof ReaderNotLoaded) return "unready";
  return error instanceof DOMException && /^(NotAllowed|Security)Error$/.test(error.name) ? "refused" : "missing";
}

/** Switches the camera's light; undefined where it has none. */
export function lightOf(stream: MediaStream): ((on: boolean) => Promise<void>) | undefined {
  const [track] = stream.getVideoTracks();
  // Neither the capability nor the constraint is in TypeScript's library.
  const { torch } = (track?.getCapabilities?.() ?? {}) as { torch?: boolean };
  if (!track || !torch) return undefined;
  return (on) => track.applyConstraints({ advanced: [{ torch: on } as MediaTrackConstraintSet] });
}
