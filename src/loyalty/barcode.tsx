/**
 * Drawn by our own server: plain shapes, no script. Bars may be made shorter or taller than drawn, never narrower
 * against each other: width alone carries the code, and the quiet zones are part of the drawing.
 */
export function Barcode({ svg }: { svg: string }) {
  return (
    <div
      aria-hidden="true"
      className="h-full [&>svg]:size-full"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own server drew it.
      dangerouslySetInnerHTML={{ __html: svg.replace("<svg ", '<svg preserveAspectRatio="none" ') }}
    />
  );
}
