import { copyFileSync, cpSync, existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { BadBrand } from "#brand/brand-file.server.ts";
import { drawImages } from "./brand-images.server.ts";
import { checkBrand } from "./check-brand.server.ts";
import { writeContactSheet } from "./contact-sheet.server.ts";

const usage = "npm run brand -- check|images|pictures|new DIR";

/** `npm run brand`: checks a brand's folder, draws its images, writes a sheet of pictures to look at, or makes a folder to begin with. */
async function run([word = "", directory]: string[]): Promise<string[]> {
  if (!directory) throw new BadBrand(usage);
  if (word === "new") {
    if (existsSync(directory)) throw new BadBrand(`${directory} is there already.`);
    cpSync("brand", resolve(directory), { recursive: true });
    copyFileSync("docs/brand.md", join(directory, "README.md"));
    return [
      `${directory} is a copy of the default brand. Its README.md says what each file and field is. Then: ${usage}`,
    ];
  }
  if (!["check", "images", "pictures"].includes(word)) throw new BadBrand(usage);
  const kept = word === "images" ? await drawImages(directory) : [];
  const problems = await checkBrand(directory);
  if (problems.length > 0) process.exitCode = 1;
  if (problems.length > 0) return problems;
  if (word === "pictures") return [await writeContactSheet(directory)];
  const byHand = kept.length > 0 ? [`Kept, since they are not as they were drawn: ${kept.join(", ")}`] : [];
  return [...byHand, `${directory} can be used: BRAND_DIR=${directory}`];
}

try {
  for (const line of await run(process.argv.slice(2))) console.log(line);
} catch (error) {
  if (!(error instanceof BadBrand)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
