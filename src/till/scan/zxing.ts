import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import wasmUrl from "zxing-wasm/reader/zxing_reader.wasm?url";

/** Reads a code in the current picture of a video; undefined when there is none. */
export type Decode = (video: HTMLVideoElement) => Promise<string | undefined>;

/** Wider pictures take longer to read and are read no better: the code fills the frame. */
const widestPx = 1280;

export async function openZxing(): Promise<Decode> {
  // By itself it would load its WebAssembly from a public server.
  await prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true });
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  return async (video) => {
    const { videoWidth, videoHeight } = video;
    if (!context || videoWidth === 0) return undefined;
    const scale = Math.min(1, widestPx / videoWidth);
    canvas.width = Math.round(videoWidth * scale);
    canvas.height = Math.round(videoHeight * scale);
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    const picture = context.getImageData(0, 0, canvas.width, canvas.height);
    const found = await readBarcodes(picture, {
      formats: ["EAN13", "Code128", "QRCode"],
      tryHarder: true,
      // At a third of its size a bar may lose a pixel, and the digit becomes another.
      tryDownscale: false,
      maxNumberOfSymbols: 1,
    });
    return found.find(({ isValid }) => isValid)?.text;
  };
}
