import bwip from "bwip-js/node";

/** What was drawn, by its value; the oldest goes first. A drawing is about 1 kB. */
const drawings = new Map<string, string>();
const maxDrawings = 2_000;

function drawOnce(key: string, draw: () => string): string {
  const known = drawings.get(key);
  if (known !== undefined) return known;
  const [oldest] = drawings.keys();
  if (oldest !== undefined && drawings.size >= maxDrawings) drawings.delete(oldest);
  const drawn = draw();
  drawings.set(key, drawn);
  return drawn;
}

/**
 * A QR code with a quiet zone of four modules and error correction level M, so that a scratch does not spoil it.
 * Choosing its mask takes ten milliseconds.
 */
export function qrSvg(address: string): string {
  const quietZone = { paddingwidth: 4, paddingheight: 4, backgroundcolor: "ffffff" };
  return drawOnce(`qr ${address}`, () => bwip.toSVG({ bcid: "qrcode", text: address, scale: 1, ...quietZone }));
}

/**
 * The quiet zone on either side, in modules; a scanner needs it to find the first and the last bar. An EAN-13 could do with 7
 * on the right: as wide as on the left, bars and number share a centre.
 */
const quietZones = { ean13: 11, code128: 10 } as const;
const heightModules = 60;

/** A barcode as an SVG of plain shapes: no script, no style, nothing the Content-Security-Policy would refuse. */
export function barcodeSvg(kind: keyof typeof quietZones, text: string): string {
  return drawOnce(`${kind} ${text}`, () => drawBars(kind, text));
}

/** The widths of bars and gaps in turn, in modules, a bar first. */
export function barWidths(kind: keyof typeof quietZones, text: string): readonly number[] {
  const [symbol] = bwip.raw(kind, text);
  if (!symbol || !("sbs" in symbol)) throw new Error(`No bars for a ${kind}`);
  return symbol.sbs;
}

function drawBars(kind: keyof typeof quietZones, text: string): string {
  const quiet = quietZones[kind];
  let x: number = quiet;
  let bars = "";
  barWidths(kind, text).forEach((width, index) => {
    if (index % 2 === 0) bars += `M${x} 0h${width}v${heightModules}h-${width}z`;
    x += width;
  });
  const width = x + quiet;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${heightModules}">` +
    `<path fill="#fff" d="M0 0h${width}v${heightModules}h-${width}z"/>` +
    `<path fill="#000" shape-rendering="crispEdges" d="${bars}"/></svg>`
  );
}
