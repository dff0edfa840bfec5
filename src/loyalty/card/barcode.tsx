import { SvgImage } from "#ui/svg-image.tsx";

/**
 * The server's drawing, stretched to its parent. Height and overall width may change: only the ratio between the
 * widths of the bars carries the code, and the quiet zones are part of the drawing.
 */
export function Barcode({ svg }: { svg: string }) {
  return <SvgImage svg={svg.replace("<svg ", '<svg preserveAspectRatio="none" ')} />;
}
