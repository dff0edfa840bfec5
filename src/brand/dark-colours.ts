import { channelsOf, contrastOf, hexOf, mixed } from "./contrast.ts";

/** The cloths and the words on them stay as they are: on cloth, pictures and codes the light colours hold (`.light-scheme`). */
const unchanged = ["cotton", "silk", "cashmere", "gold-dark", "gold-light"];

/** The same hue, as light as it was dark, on a scale that begins at a dark grey. */
function darkened(colour: string): string {
  const channels = channelsOf(colour);
  const shift = 255 - Math.max(...channels) - Math.min(...channels);
  return mixed(hexOf(channels.map((channel) => channel + shift)), 0.92, "#ffffff");
}

/**
 * The colours for a dark screen, made from the light ones. In each pair that does not have the contrast it needs, the lighter
 * colour is made lighter until it does. A brand whose paper is dark already keeps its colours.
 */
export function darkColours(
  light: Record<string, string>,
  pairs: [words: string, ground: string, least: number][],
): Record<string, string> {
  const of = (name: string) => light[name] ?? "";
  if (contrastOf(of("paper"), "#000000") < contrastOf(of("ink"), "#000000")) return {};
  const dark = Object.fromEntries(
    Object.entries(light)
      .filter(([name]) => !unchanged.includes(name))
      .map(([name, colour]) => [name, darkened(colour)]),
  );
  for (const [words, ground, least] of pairs)
    for (let tries = 0; tries < 40; tries += 1) {
      const [a, b] = [dark[words] ?? "", dark[ground] ?? ""];
      if (contrastOf(a, b) >= least) break;
      const [lighter, colour] = contrastOf(a, "#000000") > contrastOf(b, "#000000") ? [words, a] : [ground, b];
      dark[lighter] = mixed(colour, 0.9, "#ffffff");
    }
  return dark;
}
