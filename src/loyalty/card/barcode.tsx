import { useEffect, useRef, useState } from "react";
import { SvgImage } from "#ui/svg-image.tsx";

/**
 * The server's drawing, as wide as its parent. Only the ratio between the widths of the bars carries the code, so each module
 * is as many whole device pixels wide as there is room for, and the rest is added to the quiet zones: with 3.3 pixels a
 * module, some bars would be 3 wide and some 4. Without script the drawing is stretched.
 */
export function Barcode({ svg }: { svg: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const [pixels, setPixels] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setPixels(devicePixelsOf(entry)));
    const observe = (box: ResizeObserverBoxOptions) => frame.current && observer.observe(frame.current, { box });
    try {
      observe("device-pixel-content-box");
    } catch {
      // Safari has no such box.
      observe("content-box");
    }
    return () => observer.disconnect();
  }, []);
  const [, modules = 0, height = 0] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)?.map(Number) ?? [];
  return (
    <div ref={frame} className="size-full">
      <SvgImage
        svg={svg.replace(/viewBox="[^"]*"/, `preserveAspectRatio="none" viewBox="${viewBox(pixels, modules, height)}"`)}
      />
    </div>
  );
}

function devicePixelsOf({ devicePixelContentBoxSize, contentRect }: ResizeObserverEntry): number {
  const pixels = devicePixelContentBoxSize?.[0]?.inlineSize ?? 0;
  // A browser that emulates another device's ratio places boxes at whole CSS pixels, and reports those.
  if (Math.abs(pixels - contentRect.width) < 1) return pixels * devicePixelRatio;
  return pixels || Math.round(contentRect.width * devicePixelRatio);
}

function viewBox(pixels: number, modules: number, height: number): string {
  const perModule = Math.floor(pixels / modules);
  if (perModule < 1) return `0 0 ${modules} ${height}`;
  const left = Math.floor((pixels - perModule * modules) / 2);
  return `${-left / perModule} 0 ${pixels / perModule} ${height}`;
}
