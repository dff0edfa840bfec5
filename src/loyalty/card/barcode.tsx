import { SvgImage } from "#ui/svg-image.tsx";

/**
 * Bars may be made shorter or taller than the server drew them, never narrower against each other: width alone carries
 * the code, and the quiet zones are part of the drawing.
 */
export function Barcode({ svg }: { svg: string }) {
  return <SvgImage svg={svg.replace("<svg ", '<svg preserveAspectRatio="none" ')} />;
}
