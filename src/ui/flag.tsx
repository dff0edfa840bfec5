/** A path, its colour, and its width where it is a line. */
type Stroke = [path: string, colour: string, width?: number];

const plain: Stroke[] = [["M0 0h30v20H0z", "#e5e0d7"]];

/** Flags by the language's code; an unknown one gets a plain rectangle. */
const flags: Record<string, Stroke[]> = {
  fr: [
    ["M0 0h30v20H0z", "#24408e"],
    ["M10 0h20v20H10z", "#fff"],
    ["M20 0h10v20H20z", "#d8333b"],
  ],
  de: [
    ["M0 0h30v20H0z", "#0b0a0c"],
    ["M0 6.67h30V20H0z", "#c7202f"],
    ["M0 13.33h30V20H0z", "#f2c230"],
  ],
  en: [
    ["M0 0h30v20H0z", "#24408e"],
    ["m0 0 30 20M30 0 0 20", "#fff", 4],
    ["m0 0 30 20M30 0 0 20", "#c7202f", 1.6],
    ["M15 0v20M0 10h30", "#fff", 6.4],
    ["M15 0v20M0 10h30", "#c7202f", 3.6],
  ],
};

export function Flag({ code, className = "h-3.5 w-5" }: { code: string; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      className={className}
      viewBox="0 0 30 20"
      preserveAspectRatio="none"
      data-flag={code in flags ? code : "default"}
    >
      {(flags[code] ?? plain).map(([path, colour, width]) => (
        <path
          key={path + colour}
          d={path}
          fill={width ? "none" : colour}
          stroke={width ? colour : undefined}
          strokeWidth={width}
        />
      ))}
    </svg>
  );
}
