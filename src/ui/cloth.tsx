import { useId } from "react";

/** The three statuses are three cloths, each drawn as it is really woven. */
export type ClothName = "cotton" | "silk" | "cashmere";

interface Weave {
  /** Threads in one repeat, each way. */
  repeat: number;
  threadPx: number;
  /** Does the warp lie on top where this row crosses this column? */
  warpOnTop(row: number, column: number): boolean;
  /** The light along the middle of a thread, and its body. */
  warp: [light: string, body: string];
  weft: [light: string, body: string];
}

const weaves: Record<ClothName, Weave> = {
  /** Plain weave: over one, under one. */
  cotton: {
    repeat: 2,
    threadPx: 5,
    warpOnTop: (row, column) => (row + column) % 2 === 0,
    warp: ["#f4f1ea", "#e6e0d4"],
    weft: ["#efeae0", "#ddd6c8"],
  },
  /** Eight-end satin: the weft shows once in eight, stepped by three. */
  silk: {
    repeat: 8,
    threadPx: 3,
    warpOnTop: (row, column) => (row * 3) % 8 !== column,
    warp: ["#e8dcc6", "#dccdb1"],
    weft: ["#f3ebda", "#e2d5bb"],
  },
  /** Two-and-two twill: the crossings walk diagonally. */
  cashmere: {
    repeat: 4,
    threadPx: 5,
    warpOnTop: (row, column) => (row + column) % 4 < 2,
    warp: ["#2b2a2d", "#131214"],
    weft: ["#1d1c1f", "#0b0a0c"],
  },
};

function draw({ repeat, threadPx: t, warpOnTop }: Weave) {
  const light = t * 0.4;
  const inset = (t - light) / 2;
  const path = { warpBody: "", warpLight: "", weftBody: "", weftLight: "" };
  const rect = (x: number, y: number, width: number, height: number) => `M${x} ${y}h${width}v${height}h${-width}z`;
  for (let row = 0; row < repeat; row++) {
    for (let column = 0; column < repeat; column++) {
      const [x, y] = [column * t, row * t];
      if (warpOnTop(row, column)) {
        path.warpBody += rect(x, y, t, t);
        path.warpLight += rect(x + inset, y, light, t);
      } else {
        path.weftBody += rect(x, y, t, t);
        path.weftLight += rect(x, y + inset, t, light);
      }
    }
  }
  return path;
}

const drawings = {
  cotton: draw(weaves.cotton),
  silk: draw(weaves.silk),
  cashmere: draw(weaves.cashmere),
};

/** Fills its positioned parent with cloth. */
export function Cloth({ name }: { name: ClothName }) {
  const id = useId();
  const { repeat, threadPx, warp, weft } = weaves[name];
  const { warpBody, warpLight, weftBody, weftLight } = drawings[name];
  const size = repeat * threadPx;
  return (
    <span aria-hidden="true" className="cloth absolute inset-0 overflow-hidden">
      <svg aria-hidden="true" className="absolute inset-0 size-full" shapeRendering="crispEdges">
        <defs>
          <pattern id={id} width={size} height={size} patternUnits="userSpaceOnUse">
            <path d={weftBody} fill={weft[1]} />
            <path d={weftLight} fill={weft[0]} />
            <path d={warpBody} fill={warp[1]} />
            <path d={warpLight} fill={warp[0]} />
          </pattern>
        </defs>
        <rect width="100%" height="100%" fill={`url(#${id})`} />
      </svg>
      {name === "silk" && <span className="sheen absolute -inset-x-[12%] inset-y-0 block" />}
    </span>
  );
}
