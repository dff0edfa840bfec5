// Makes the pictures of examples/brand-nord: knitwear and a landscape, drawn as SVG and rendered by Chromium, and objects rendered by
// Blender (still.py), encoded by avifenc and ImageMagick. On Debian:
// apt-get install --no-install-recommends blender python3-numpy imagemagick libavif-bin
// An object takes some minutes to render; one that is there already, in var/knit, is not rendered again.
// node scripts/knit/make.mjs
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { findChromium } from "../chromium.mjs";

const out = "examples/brand-nord/pictures";
const work = "var/knit";
for (const folder of [out, work]) mkdirSync(folder, { recursive: true });

/** Numbers between 0 and 1 that are the same at every run. */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const shade = (hex, by) =>
  `#${[1, 3, 5]
    .map((at) => Math.round(Math.min(255, Math.max(0, Number.parseInt(hex.slice(at, at + 2), 16) * (1 + by)))))
    .map((value) => value.toString(16).padStart(2, "0"))
    .join("")}`;

/** Stars of eight petals, as Nordic jumpers have them, with small crosses between: whether a stitch is of the light wool. */
const starAt = (x, y) => {
  const period = 20;
  const fold = (at, from) => Math.abs(((((at - from) % period) + period) % period) - period / 2);
  const [across, down] = [fold(x, 0), fold(y, 0)];
  const [far, near] = [Math.max(across, down), Math.min(across, down)];
  const cross = fold(x, period / 2) + fold(y, period / 2) <= 1;
  return cross || (near >= 1 && near <= 4 && far - near >= 1 && far - near <= 4);
};

const wools = {
  1: { ground: "#d9d2c1", colour: () => "#e8e2d3", relief: () => 0 },
  2: {
    ground: "#0d3127",
    colour: (x) => (x % 5 < 3 ? "#2c6a53" : "#1b4b3a"),
    relief: (x) => (x % 5 < 3 ? 0.06 : -0.18),
  },
  3: { ground: "#2e3a39", colour: () => "#52605e", relief: (x, y) => ((x + Math.floor(y / 2)) % 2 ? 0.14 : -0.16) },
  4: { ground: "#0c1a18", colour: (x, y) => (starAt(x, y) ? "#e4dfd0" : "#16292a"), relief: () => 0 },
};

/** Rows of stitches: each is two leaves that meet below. */
function knit(kind, width, height, stitch) {
  const { ground, colour, relief } = wools[kind];
  const random = randomOf(kind * 97);
  const [w, h] = [stitch, stitch * 0.78];
  const parts = [];
  for (let y = -1; y * h < height + h; y += 1)
    for (let x = -1; x * w < width + w; x += 1) {
      const fold = 0.1 * Math.sin((x * w) / 210 + Math.sin((y * h) / 160));
      const light = relief(x, y) + fold + (random() - 0.5) * 0.07;
      const base = colour(x, y);
      const [left, right] = [shade(base, light + 0.05), shade(base, light - 0.09)];
      const turn = (random() - 0.5) * 3;
      parts.push(
        `<g transform="translate(${(x * w).toFixed(1)} ${(y * h).toFixed(1)}) rotate(${turn.toFixed(1)})"><use href="#l" fill="${left}"/><use href="#r" fill="${right}"/></g>`,
      );
    }
  const leaf = (side) => {
    const at = (x, y) => `${((side > 0 ? 0.5 + x : 0.5 - x) * w).toFixed(2)} ${(y * h).toFixed(2)}`;
    return `M${at(0.01, 1.38)}C${at(0.01, 0.9)} ${at(0.12, 0.35)} ${at(0.3, 0.05)}C${at(0.44, -0.08)} ${at(0.56, 0.12)} ${at(0.5, 0.46)}C${at(0.42, 0.85)} ${at(0.18, 1.2)} ${at(0.01, 1.38)}Z`;
  };
  return `<defs><path id="l" d="${leaf(-1)}"/><path id="r" d="${leaf(1)}"/></defs><rect width="100%" height="100%" fill="${ground}"/>${parts.join("")}`;
}

/** A ridge from left to right: heights are shares of the picture's. */
function ridge(width, height, { level, steps, roughness, seed, colour, sharp = true }) {
  const random = randomOf(seed);
  const points = Array.from({ length: steps + 2 }, (_, step) => {
    const peak = sharp ? (step % 2 ? 0.55 + 0.45 * random() : 0.3 * random()) : (Math.sin(step * 0.9 + seed) + 1) / 2;
    const aside = sharp ? (random() - 0.5) * 0.5 : 0;
    return [((step + aside) / steps) * width, height * (level - roughness * peak)];
  });
  const line = points.map(([x, y]) => `${x.toFixed(0)} ${y.toFixed(0)}`).join("L");
  return `<path fill="${colour}" d="M0 ${height}L${line}L${width} ${height}Z"/>`;
}

function firs(width, height, level, seed, colour) {
  const random = randomOf(seed);
  let path = "";
  for (let x = -10; x < width + 10; x += 9 + random() * 15) {
    const [tall, foot] = [height * (0.035 + random() * 0.06), height * (level + random() * 0.02)];
    path += `M${x.toFixed(0)} ${(foot - tall).toFixed(0)}l${(tall * 0.24).toFixed(0)} ${tall.toFixed(0)}h-${(tall * 0.48).toFixed(0)}z`;
  }
  const ground = `<rect y="${height * (level + 0.005)}" width="${width}" height="${height}" fill="${colour}"/>`;
  return `<path fill="${colour}" d="${path}"/>${ground}`;
}

/** Northern lights over mountains. */
function landscape(width, height, horizon = 0.62) {
  const light = (y, bend, thick, colour, opacity) =>
    `<path fill="none" stroke="${colour}" stroke-width="${thick}" opacity="${opacity}" d="M${-0.1 * width} ${(y + bend) * height}C${0.2 * width} ${(y - bend) * height} ${0.35 * width} ${(y + 1.6 * bend) * height} ${0.6 * width} ${y * height}S${0.9 * width} ${(y - 1.4 * bend) * height} ${1.1 * width} ${(y + bend) * height}"/>`;
  const at = (share) => horizon * share;
  return `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#0e2b26"/><stop offset=".3" stop-color="#2f6552"/><stop offset=".52" stop-color="#6a9a82"/><stop offset=".75" stop-color="#1f5748"/><stop offset="1" stop-color="#17483b"/></linearGradient>
<filter id="soft" x="-20%" y="-60%" width="140%" height="220%"><feGaussianBlur stdDeviation="${height / 26}"/></filter><filter id="fine" x="-20%" y="-60%" width="140%" height="220%"><feGaussianBlur stdDeviation="${height / 150}"/></filter></defs>
<rect width="100%" height="100%" fill="url(#sky)"/>
<g filter="url(#soft)">${light(at(0.35), 0.07, height * 0.1, "#8fc4a5", 0.5)}${light(at(0.62), 0.06, height * 0.09, "#79b394", 0.45)}</g>
<g filter="url(#fine)">${light(at(0.3), 0.06, height * 0.012, "#cfeccd", 0.75)}${light(at(0.5), 0.075, height * 0.01, "#bfe3c2", 0.6)}${light(at(0.42), -0.05, height * 0.006, "#d8f0d2", 0.45)}</g>
${ridge(width, height, { level: horizon + 0.04, steps: 9, roughness: 0.17, seed: 5, colour: "#86a898" })}
${ridge(width, height, { level: horizon + 0.1, steps: 11, roughness: 0.15, seed: 9, colour: "#4d7d6b" })}
${ridge(width, height, { level: horizon + 0.16, steps: 13, roughness: 0.12, seed: 14, colour: "#2f6354" })}
${ridge(width, height, { level: horizon + 0.22, steps: 20, roughness: 0.05, seed: 2, colour: "#215142", sharp: false })}
${firs(width, height, horizon + 0.24, 8, "#163f33")}${firs(width, height, horizon + 0.31, 21, "#0f3029")}`;
}

const drawings = [
  { slot: "home", width: 1000, height: 912, inner: landscape(1000, 912), avif: 30 },
  { slot: "wide", width: 1600, height: 520, inner: landscape(1600, 520, 0.55), avif: 30 },
  { slot: "sign-in", width: 760, height: 874, inner: knit(1, 760, 874, 46), avif: 44 },
  ...[1, 2, 3, 4].flatMap((kind) => [
    {
      slot: `tile-${kind}`,
      width: 760,
      height: 874,
      inner: knit(kind, 760, 874, kind === 4 ? 38 : 34),
      avif: kind === 4 ? 46 : 42,
    },
    { slot: `square-${kind}`, width: 144, height: 144, inner: knit(kind, 144, 144, kind === 4 ? 8 : 18), avif: 48 },
    { slot: `email-${kind}`, width: 1200, height: 240, inner: knit(kind, 1200, 240, kind === 4 ? 30 : 26) },
  ]),
];

/** The band across the card: stars in light wool on whatever is beneath, one period wide. */
function band() {
  const [period, rows, w, h] = [20, 11, 12, 9.4];
  const stitches = [];
  for (let y = 0; y < rows; y += 1)
    for (let x = 0; x < period; x += 1) {
      const edge = (y === 0 || y === rows - 1) && x % 4 === 0;
      // A smaller star than that of the pictures: its petals are two stitches wide.
      const [across, down] = [Math.abs(x - period / 2), Math.abs(y - (rows - 1) / 2)];
      const [far, near] = [Math.max(across, down), Math.min(across, down)];
      const star = far <= 4 && ((near >= 1 && near <= 2 && far - near >= 1 && far - near <= 2) || far === 0);
      const cross = across >= 9 && down === 0;
      if (edge || star || cross) stitches.push(`<use href="#s" x="${x * w}" y="${(y * h).toFixed(1)}"/>`);
    }
  const leaves =
    "M6 12C5.8 8 3.6 3 2 1 .4 0-.2 2 .3 4.5 1 8 4 11 6 12ZM6 12C6.2 8 8.4 3 10 1c1.6-1 2.2 1 1.7 3.500C11 8 8 11 6 12Z";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${period * w} ${(rows * h + 4).toFixed(0)}"><title>Stars</title><defs><path id="s" fill="#f1ecdf" fill-opacity=".82" d="${leaves}"/></defs>${stitches.join("")}</svg>\n`;
}
writeFileSync(join(out, "band.svg"), band());

const browser = await chromium.launch({ executablePath: await findChromium(), args: ["--no-sandbox"] });
const page = await browser.newPage();
for (const { slot, width, height, inner, avif } of drawings) {
  const target = (ending) => join(out, `${slot}.${ending}`);
  // The JPEG, for the few browsers without AVIF, is smaller, so that it is no heavier. Mail programs take JPEG alone.
  const shoot = async (share, type) => {
    const size = { width: Math.round(width * share), height: Math.round(height * share) };
    await page.setViewportSize(size);
    const box = `width="${size.width}" height="${size.height}" viewBox="0 0 ${width} ${height}"`;
    await page.setContent(`<body style="margin:0"><svg xmlns="http://www.w3.org/2000/svg" ${box}>${inner}</svg>`);
    return page.screenshot(type);
  };
  writeFileSync(
    target("jpg"),
    await shoot(avif ? 0.5 : 0.8, { type: "jpeg", quality: slot.startsWith("email") ? 40 : 50 }),
  );
  if (avif) {
    const png = join(work, `${slot}.png`);
    writeFileSync(png, await shoot(1));
    encode(png, slot, avif);
  }
  said(slot, avif ? ["avif", "jpg"] : ["jpg"]);
}
await browser.close();

function encode(png, slot, level) {
  const quality = ["--min", "0", "--max", "63", "-a", "end-usage=q", "-a", `cq-level=${level}`, "-a", "tune=ssim"];
  execFileSync("avifenc", ["--speed", "6", ...quality, png, join(out, `${slot}.avif`)]);
}
function said(slot, endings) {
  const sizes = endings.map((ending) => `${ending} ${statSync(join(out, `${slot}.${ending}`)).size}`);
  console.log(`${slot}: ${sizes.join(", ")}`);
}

const objects = {
  "still-1": ["present", 24],
  "still-2": ["sack", 24],
  "still-3": ["scarf", 36],
  "still-4": ["wool", 36],
  "still-5": ["mugs", 24],
  "still-6": ["jumpers", 42],
  empty: ["peg", 24],
};
for (const [slot, [object, level]] of Object.entries(objects)) {
  const png = join(work, `${object}.png`);
  if (!existsSync(png))
    execFileSync("blender", ["-b", "--python", "scripts/knit/still.py", "--", object, png, "560", "420", "8"]);
  encode(png, slot, level);
  const jpeg = ["-strip", "-interlace", "Plane", "-sampling-factor", "4:2:0", "-quality", "62"];
  execFileSync("convert", [png, "-resize", "70%", ...jpeg, join(out, `${slot}.jpg`)]);
  said(slot, ["avif", "jpg"]);
  if (slot === "empty") continue;
  // The middle of it, for the tiles of the account.
  const small = slot.replace("still", "small");
  const square = join(work, `${small}.png`);
  execFileSync("convert", [png, "-gravity", "center", "-extent", "420x420", "-resize", "240x240", square]);
  encode(square, small, level);
  execFileSync("convert", [square, "-resize", "80%", ...jpeg, join(out, `${small}.jpg`)]);
  said(small, ["avif", "jpg"]);
}
