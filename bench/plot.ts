import { isKept, type Result } from "./measures.ts";

const width = 960;
const rowHeight = 26;
const top = 64;
const labelEnd = 470;
const plotStart = 490;
const plotEnd = 830;
/** The scale ends at this factor of the limit, to either side. */
const reach = 4;

/** The factor by which a limit was kept: twice an "at least" is as good as half an "at most". */
const margin = ({ ratio, least, most }: Result) => (least ? ratio / least : (most ?? 1) / ratio);

const x = (times: number) => {
  const within = Math.min(reach, Math.max(1 / reach, times));
  return plotStart + ((Math.log2(within) / Math.log2(reach) + 1) / 2) * (plotEnd - plotStart);
};

/** Every ratio that has a limit, as a bar from the limit: kept to the right, broken to the left. */
export function plot(results: Result[]): string {
  const rows = results.filter(({ least, most }) => least || most);
  const height = top + rows.length * rowHeight + 34;
  const floor = x(1);
  const bars = rows.map((row, index) => {
    const y = top + index * rowHeight;
    const end = x(margin(row));
    const colour = isKept(row) ? "#2f6b4f" : "#a4262c";
    const bound = row.least ? `≥ ${row.least}` : `≤ ${row.most}`;
    return `<text x="${labelEnd}" y="${y + 16}" text-anchor="end">${row.what}</text>
<rect x="${Math.min(floor, end).toFixed(1)}" y="${y + 5}" width="${Math.max(2, Math.abs(end - floor)).toFixed(1)}" height="14" rx="2" fill="${colour}"/>
<text x="${plotEnd + 12}" y="${y + 16}"><tspan font-weight="600" fill="${colour}">${row.ratio.toFixed(2)}</tspan><tspan fill="#56524c">  ${bound}</tspan></text>`;
  });
  const marks: [number, string][] = [
    [1 / 2, "half of it"],
    [1, "the floor"],
    [2, "twice"],
  ];
  const lines = marks.map(([times, words]) => {
    const colour = times === 1 ? "#0b0a0c" : "#e5e0d7";
    return `<path d="M${x(times)} ${top - 4}V${height - 26}" stroke="${colour}"/>
<text x="${x(times)}" y="${height - 10}" text-anchor="middle" fill="#56524c" font-size="11">${words}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="Jost, Futura, 'Century Gothic', sans-serif" font-size="12.5" fill="#0b0a0c">
<title>Each ratio against its floor</title>
<rect width="${width}" height="${height}" rx="8" fill="#fff"/>
<text x="24" y="30" font-size="18" font-family="'Bodoni Moda', Didot, Georgia, serif">Each ratio against its floor</text>
<g fill="#56524c" font-size="11.5"><text x="${floor - 10}" y="50" text-anchor="end">broken</text><text x="${floor + 10}" y="50">kept</text><text x="${plotEnd + 12}" y="50">ratio, floor</text></g>
${bars.join("\n")}
${lines.join("\n")}
</svg>
`;
}
