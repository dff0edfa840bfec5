type Channels = [red: number, green: number, blue: number];

export function channelsOf(colour: string): Channels {
  const digits = colour.slice(1);
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as Channels;
}

/** A colour between two others, as `color-mix(in srgb, a share, b)` makes it. */
export function mixed(a: string, share: number, b: string): string {
  const [from, to] = [channelsOf(a), channelsOf(b)];
  const mix = from.map((channel, index) => Math.round(channel * share + (to[index] ?? 0) * (1 - share)));
  return hexOf(mix);
}

export const hexOf = (channels: number[]) =>
  `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;

function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours as WCAG 2 defines it, from 1 to 21. */
export function contrastOf(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}
