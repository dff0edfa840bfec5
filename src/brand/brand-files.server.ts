import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Report, readJson } from "./brand-file.server.ts";

const types: Record<string, string> = {
  avif: "image/avif",
  jpg: "image/jpeg",
  png: "image/png",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};
export const typeOf = (file: string) => types[file.split(".").at(-1) ?? ""] ?? "application/octet-stream";

/** A picture of each kind is at most this large, as AVIF and as JPEG. */
const pictureBytes: Record<string, number> = {
  sign: 40_000,
  join: 40_000,
  home: 60_000,
  wide: 60_000,
  empty: 30_000,
  tile: 40_000,
  still: 30_000,
  square: 4_000,
  small: 8_000,
  email: 30_000,
  band: 12_000,
};
const pictureName =
  /^(?:(?:home|wide|empty|sign-in|join|(?:tile|square|still|small)-[1-6])\.(?:avif|jpg)|email-[1-6]\.jpg|band\.svg)$/;
const fontBytes = 80_000;

/** What is made from `icon.svg` and `logo.svg`: the files of the folder `derived`, with their sizes in pixels. */
export const derivedImages = [
  { file: "apple-touch-icon.png", width: 180, height: 180 },
  { file: "icon-192.png", width: 192, height: 192 },
  { file: "icon-512.png", width: 512, height: 512 },
  { file: "icon-maskable-512.png", width: 512, height: 512 },
  { file: "social-card.jpg", width: 1200, height: 630 },
  { file: "email-header.png", width: 480, height: 80 },
  ...[1, 2, 3].flatMap((scale) => {
    const suffix = scale === 1 ? "" : `@${scale}x`;
    return [
      { file: `wallet-icon${suffix}.png`, width: 29 * scale, height: 29 * scale },
      { file: `wallet-logo-dark${suffix}.png`, width: 50 * scale, height: 50 * scale },
      { file: `wallet-logo-light${suffix}.png`, width: 50 * scale, height: 50 * scale },
    ];
  }),
] as const;

/** A file of `derived` as it is now. */
export const fileHash = (file: string) => hashOf(readFileSync(file));

/** The sources of the derived images, and where their checksum is stored. */
const derivedSources = ["icon.svg", "logo.svg", "theme.json"];
export const checksumFile = join("derived", "checksum.json");

const hashOf = (...contents: (Buffer | string)[]) => {
  const hash = createHash("sha256");
  for (const content of contents) hash.update(content);
  return hash.digest("hex");
};

/** One checksum over the sources of the derived images. */
export const checksumOf = (directory: string) =>
  hashOf(...derivedSources.map((file) => readFileSync(join(directory, file))));

export interface BrandFiles {
  /** Every file that is served, by its path. */
  served: Map<string, { file: string; forever: boolean }>;
  /** The address of a font. */
  fontAddress: (file: string) => string;
  /** The address of the drawing that runs across the card. */
  band?: string;
  /** The logo has colours of its own for a dark screen. */
  hasDarkLogo: boolean;
  /** By which pictures are named: they are cached for good, so other pictures need other names. */
  pictures: [version: string, ...slots: string[]];
}

/** Reads which files a brand has; one that is missing, stale, too large or unsafe is reported. */
export function readBrandFiles(
  directory: string,
  { fonts, showsLogo }: { fonts: string[]; showsLogo: boolean },
  report: Report,
): BrandFiles {
  const served: BrandFiles["served"] = new Map();
  for (const name of ["icon.svg", "logo.svg"]) checkSvg(join(directory, name), report);
  served.set("/favicon.svg", { file: join(directory, "icon.svg"), forever: false });
  served.set("/logo.svg", { file: join(directory, "logo.svg"), forever: false });
  readDerived(directory, report);
  for (const { file } of derivedImages)
    if (!file.startsWith("wallet")) served.set(`/${file}`, { file: join(directory, "derived", file), forever: false });

  const addresses = new Map<string, string>();
  for (const font of fonts) {
    const file = join(directory, "fonts", font);
    if (!existsSync(file)) {
      report(file, "the file", "theme.json names it, and it is missing");
      continue;
    }
    const content = readFileSync(file);
    if (content.length > fontBytes)
      report(file, "the file", `it has ${content.length} bytes, and may have ${fontBytes}`);
    const address = `/assets/brand/${font.replace(".woff2", `-${hashOf(content).slice(0, 8)}.woff2`)}`;
    addresses.set(font, address);
    served.set(address, { file, forever: true });
  }

  const folder = join(directory, "pictures");
  const pictures = existsSync(folder) ? readdirSync(folder).sort() : [];
  const logo = join(directory, "logo.svg");
  const logos = showsLogo && existsSync(logo) ? [logo] : [];
  const contents = [...logos, ...pictures.map((name) => join(folder, name))].map((file) => readFileSync(file));
  const version = hashOf(...contents).slice(0, 8);
  const addressOf = (name: string) => `/assets/brand/${name.replace(".", `-${version}.`)}`;
  for (const name of pictures) {
    const file = join(folder, name);
    if (!pictureName.test(name)) {
      report(
        file,
        "the file",
        "no picture has this name: home, wide, empty, sign-in, join, tile-1 to tile-6, square-1 …, still-1 …, small-1 … as .avif and .jpg, email-1 … as .jpg, band.svg",
      );
      continue;
    }
    const most = pictureBytes[name.split(/[-.]/)[0] ?? ""] ?? 0;
    const { length } = readFileSync(file);
    if (length > most) report(file, "the file", `it has ${length} bytes, and may have ${most}`);
    const other = name.endsWith(".jpg") ? name.replace(".jpg", ".avif") : name.replace(".avif", ".jpg");
    if (name.endsWith(".svg")) checkSvg(file, report);
    else if (!name.startsWith("email-") && !pictures.includes(other))
      report(file, "the file", `${other} is missing beside it`);
    served.set(addressOf(name), { file, forever: true });
  }
  for (const file of logos) {
    served.set(addressOf("logo.svg"), { file, forever: true });
    served.set(addressOf("header.png"), { file: join(directory, "derived", "email-header.png"), forever: true });
  }
  const slots = pictures.filter((name) => name.endsWith(".jpg")).map((name) => name.replace(".jpg", ""));
  return {
    served,
    fontAddress: (font) => addresses.get(font) ?? "",
    ...(pictures.includes("band.svg") && { band: addressOf("band.svg") }),
    hasDarkLogo: logos.some((file) => readFileSync(file, "utf8").includes("prefers-color-scheme")),
    pictures: [version, ...slots, ...(logos.length > 0 ? ["logo", "header"] : [])],
  };
}

/** A drawing may run no script and load nothing: it is shown on every page and in emails. */
function checkSvg(file: string, report: Report): void {
  if (!existsSync(file)) {
    report(file, "the file", "it is missing");
    return;
  }
  const text = readFileSync(file, "utf8");
  if (!/<svg[^>]*\sviewBox="/.test(text)) report(file, "svg", "it has no viewBox");
  if (/<script|<foreignObject|\son\w+\s*=|javascript:/i.test(text)) report(file, "svg", "it holds script");
  if (/<!DOCTYPE|<!ENTITY|@import|(?:href|src)\s*=\s*["'](?!#)|url\(\s*["']?(?!#)/i.test(text))
    report(file, "svg", "it refers to something outside itself");
  if (/<text[\s>]/.test(text))
    report(file, "svg", "its letters must be outlines: it is drawn where its typeface is not");
}

function readDerived(directory: string, report: Report): void {
  const remedy = `make it with: npm run brand -- images ${directory}`;
  const missing = derivedImages.find(({ file }) => !existsSync(join(directory, "derived", file)));
  if (missing) {
    report(join(directory, "derived", missing.file), "the file", `it is missing; ${remedy}`);
    return;
  }
  const file = join(directory, checksumFile);
  const stored = existsSync(file) ? (readJson(file) as { Sources?: string }).Sources : undefined;
  if (derivedSources.every((source) => existsSync(join(directory, source))) && stored !== checksumOf(directory))
    report(file, "Sources", `the images were made from other files than ${derivedSources.join(", ")}; ${remedy}`);
}
