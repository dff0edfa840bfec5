/**
 * An address as people write it. Its domain is stored in ASCII (punycode), as mail servers need it: `léa@xn--mller-kva.de` is
 * shown as `léa@müller.de`.
 */
export function writtenEmail(email: string): string {
  // Nearly every address is plain.
  if (!email.includes("xn--")) return email;
  const at = email.lastIndexOf("@") + 1;
  const labels = email.slice(at).split(".");
  return email.slice(0, at) + labels.map((label) => (label.startsWith("xn--") ? decodeLabel(label) : label)).join(".");
}

/** RFC 3492; an invalid label stays as it is. Browsers have no function for it. */
function decodeLabel(label: string): string {
  const encoded = label.slice("xn--".length);
  const delimiter = encoded.lastIndexOf("-");
  const output = [...encoded.slice(0, Math.max(delimiter, 0))];
  let code = 128;
  let position = 0;
  let bias = 72;
  for (let at = delimiter + 1; at < encoded.length; ) {
    const start = position;
    for (let weight = 1, k = 36; ; k += 36) {
      const digit = Number.parseInt(encoded[at++] ?? "", 36);
      // In punycode a to z are 0 to 25 and 0 to 9 are 26 to 35, the other way round than in base 36.
      const value = digit < 10 ? digit + 26 : digit - 10;
      if (Number.isNaN(value)) return label;
      position += value * weight;
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      if (value < threshold) break;
      weight *= 36 - threshold;
    }
    const length = output.length + 1;
    bias = adapt(position - start, length, start === 0);
    code += Math.floor(position / length);
    position %= length;
    if (code > 0x10ffff) return label;
    output.splice(position++, 0, String.fromCodePoint(code));
  }
  return output.join("");
}

function adapt(delta: number, length: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? 700 : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35);
  return k + Math.floor((36 * rest) / (rest + 38));
}
