import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { t, textsOf } from "#testing/browser/open-page.tsx";
import { Camera } from "./camera.tsx";

const onRead = vi.fn();
const onClose = vi.fn();
let root: Root;
/** What the browser's own detector finds in the next picture. */
let seen: string[] = [];

class Detector {
  static getSupportedFormats = async () => ["ean_13", "code_128", "qr_code", "upc_a"];
  detect = async () => seen.map((rawValue) => ({ rawValue }));
}

/** A camera that shows a canvas. */
function cameraStream(): MediaStream {
  const canvas = document.createElement("canvas");
  canvas.getContext("2d")?.fillRect(0, 0, 10, 10);
  return canvas.captureStream(10);
}

function giveCamera(open: () => Promise<MediaStream>) {
  return vi.spyOn(navigator.mediaDevices, "getUserMedia").mockImplementation(open);
}

function show(): void {
  root.render(
    <TextsProvider texts={textsOf.fr}>
      <Camera onRead={onRead} onClose={onClose} />
    </TextsProvider>,
  );
}

beforeEach(() => {
  seen = [];
  onRead.mockClear();
  onClose.mockClear();
  vi.stubGlobal("BarcodeDetector", Detector);
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

const error = (name: string) => () => Promise.reject(new DOMException("", name));

test("it asks, shows the picture, reads one code, and closes", async () => {
  const stream = cameraStream();
  let allow = (_: MediaStream) => {};
  const asked = giveCamera(() => new Promise((resolve) => (allow = resolve)));
  show();
  await expect.element(page.getByRole("status")).toHaveTextContent(t("till.camera.asking"));
  expect(asked).toHaveBeenCalledWith(
    expect.objectContaining({ audio: false, video: expect.objectContaining({ facingMode: "environment" }) }),
  );
  allow(stream);
  await expect.element(page.getByRole("status")).toHaveTextContent(t("till.camera.hint"));
  await expect.element(page.getByRole("button", { name: t("till.camera.close") })).toHaveFocus();
  // A camera without a light has no button for it.
  await expect.element(page.getByRole("button", { name: t("till.camera.light") })).not.toBeInTheDocument();
  seen = ["2912345678937"];
  await expect.poll(() => onRead.mock.calls).toEqual([["2912345678937"]]);
  expect(onClose).toHaveBeenCalledTimes(1);
});

test.each([
  ["NotAllowedError", "refused"],
  ["SecurityError", "refused"],
  ["NotFoundError", "missing"],
  ["NotReadableError", "missing"],
] as const)("after a %s it says what to do", async (name, state) => {
  giveCamera(error(name));
  show();
  await expect.element(page.getByRole("alert")).toHaveTextContent(t(`till.camera.${state}`));
  await page.getByRole("button", { name: t("till.camera.close") }).click();
  expect(onClose).toHaveBeenCalledTimes(1);
});

test("when the barcode reader cannot be loaded, as without a network, it says so", async () => {
  giveCamera(async () => cameraStream());
  Detector.getSupportedFormats = () => Promise.reject(new TypeError("Failed to fetch"));
  show();
  await expect.element(page.getByRole("alert")).toHaveTextContent(t("till.camera.unready"));
  Detector.getSupportedFormats = async () => ["ean_13", "code_128", "qr_code"];
});

test("the camera is switched off when it is removed, also when the permission comes only then", async () => {
  const stream = cameraStream();
  giveCamera(async () => stream);
  show();
  await expect.element(page.getByRole("status")).toHaveTextContent(t("till.camera.hint"));
  root.render(null);
  await expect.poll(() => stream.getTracks().map(({ readyState }) => readyState)).toEqual(["ended"]);

  const late = cameraStream();
  let allow = (_: MediaStream) => {};
  giveCamera(() => new Promise((resolve) => (allow = resolve)));
  show();
  await expect.element(page.getByRole("status")).toHaveTextContent(t("till.camera.asking"));
  root.render(null);
  await expect.element(page.getByRole("status")).not.toBeInTheDocument();
  allow(late);
  await expect.poll(() => late.getTracks().map(({ readyState }) => readyState)).toEqual(["ended"]);
  expect(onRead).not.toHaveBeenCalled();
});

test("a camera with a light has a button for it; Escape closes", async () => {
  const stream = cameraStream();
  const [track] = stream.getVideoTracks();
  if (!track) throw new Error("No track.");
  track.getCapabilities = () => ({ torch: true }) as MediaTrackCapabilities;
  const constrained = vi.spyOn(track, "applyConstraints").mockResolvedValue();
  giveCamera(async () => stream);
  show();
  const light = page.getByRole("button", { name: t("till.camera.light") });
  await light.click();
  await expect.element(light).toHaveAttribute("aria-pressed", "true");
  expect(constrained).toHaveBeenCalledWith({ advanced: [{ torch: true }] });
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledTimes(1);
});
