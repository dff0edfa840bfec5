// `npm run screenshots -- FOLDER [SPEC…]`: pictures of every state that the accessibility checks of these specs visit, 390 and
// 1440 px wide. `npm run screenshots -- compare BEFORE AFTER`: lists the pictures that differ, and shows each before and after
// beside its differing pixels in AFTER/differences.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PNG } from "pngjs";

const specs = ["access.spec", "entrance.spec", "e2e/office/", "e2e/till/"];

const [first, ...rest] = process.argv.slice(2);
if (first === undefined || (first === "compare" && rest.length !== 2)) {
  console.error("npm run screenshots -- FOLDER [SPEC…]\nnpm run screenshots -- compare BEFORE AFTER");
  process.exitCode = 2;
} else if (first === "compare") compare(...rest);
else take(first, rest.length > 0 ? rest : specs);

function take(folder, tests) {
  const args = ["playwright", "test", "-c", "playwright.screenshots.config.ts", ...tests];
  const { status } = spawnSync("npx", args, { stdio: "inherit", env: { ...process.env, SCREENSHOTS: folder } });
  process.exitCode = status ?? 1;
}

function compare(before, after) {
  const pictures = (folder) => readdirSync(folder).filter((name) => name.endsWith(".png"));
  const names = [...new Set([...pictures(before), ...pictures(after)])].sort();
  const shown = join(after, "differences");
  rmSync(shown, { recursive: true, force: true });
  const findings = names.flatMap((name) => {
    const paths = [join(before, name), join(after, name)];
    const missing = paths.find((path) => !existsSync(path));
    if (missing) return [`${name}: not in ${missing === paths[0] ? before : after}`];
    const [old, now] = paths.map((path) => PNG.sync.read(readFileSync(path)));
    const { count, picture } = difference(old, now);
    if (count === 0) return [];
    mkdirSync(shown, { recursive: true });
    writeFileSync(join(shown, name), PNG.sync.write(picture));
    const size = ({ width, height }) => `${width} × ${height}`;
    const sizes = size(old) === size(now) ? "" : `, ${size(old)} became ${size(now)}`;
    return [`${name}: ${count} pixels${sizes}`];
  });
  for (const finding of findings) console.log(finding);
  console.log(`${names.length} pictures, ${findings.length} differ`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}

/** How many pixels differ, and a picture of before, after, and the differing pixels in red. */
function difference(old, now) {
  const [width, height] = [Math.max(old.width, now.width), Math.max(old.height, now.height)];
  const picture = new PNG({ width: 3 * width, height });
  PNG.bitblt(old, picture, 0, 0, old.width, old.height, 0, 0);
  PNG.bitblt(now, picture, 0, 0, now.width, now.height, width, 0);
  let count = 0;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = (column) => 4 * (y * picture.width + column);
      if (picture.data.readUInt32BE(at(x)) === picture.data.readUInt32BE(at(width + x))) continue;
      count += 1;
      picture.data.writeUInt32BE(0xff0000ff, at(2 * width + x));
    }
  return { count, picture };
}
