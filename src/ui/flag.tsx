/** Flags named after the language's code; an unknown one gets plain cloth. */
const flags: Record<string, [direction: "across" | "down", colours: string[]] | "union"> = {
  fr: ["across", ["#24408e", "#ffffff", "#d8333b"]],
  de: ["down", ["#0b0a0c", "#c7202f", "#f2c230"]],
  en: "union",
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
      <Drawing code={code} />
    </svg>
  );
}

function Drawing({ code }: { code: string }) {
  const flag = flags[code];
  if (!flag) return <path d="M0 0h30v20H0z" fill="#e5e0d7" />;
  if (flag === "union")
    return (
      <>
        <path d="M0 0h30v20H0z" fill="#24408e" />
        <path d="m0 0 30 20M30 0 0 20" stroke="#fff" strokeWidth="4" />
        <path d="m0 0 30 20M30 0 0 20" stroke="#c7202f" strokeWidth="1.6" />
        <path d="M15 0v20M0 10h30" stroke="#fff" strokeWidth="6.4" />
        <path d="M15 0v20M0 10h30" stroke="#c7202f" strokeWidth="3.6" />
      </>
    );
  const [direction, colours] = flag;
  return colours.map((colour, index) => (
    <rect
      key={colour}
      fill={colour}
      {...(direction === "across"
        ? { x: index * 10, width: 10.1, height: 20 }
        : { y: index * 6.667, width: 30, height: 6.8 })}
    />
  ));
}
