import type { Decode } from "./zxing.ts";

/** Not in TypeScript's library yet: https://wicg.github.io/shape-detection-api/#barcode-detection-api */
declare global {
  var BarcodeDetector:
    | {
        new (options: { formats: string[] }): { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> };
        getSupportedFormats(): Promise<string[]>;
      }
    | undefined;
}

const formats = ["ean_13", "code_128", "qr_code"];

/** The browser's own detector where it reads all our codes, else zxing, which is loaded then. */
export async function openDecoder(): Promise<Decode> {
  const Detector = globalThis.BarcodeDetector;
  const supported = (await Detector?.getSupportedFormats()) ?? [];
  if (Detector && formats.every((format) => supported.includes(format))) {
    const detector = new Detector({ formats });
    return async (video) => (await detector.detect(video))[0]?.rawValue;
  }
  const { openZxing } = await import("./zxing.ts");
  return openZxing();
}
