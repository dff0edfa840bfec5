import { cpSync, existsSync } from "node:fs";
import { resolve } from "node:path";
import { BadBrand } from "#brand/brand-file.server.ts";
import { drawImages } from "./brand-images.server.ts";
import { checkBrand } from "./check-brand.server.ts";

const usage = "npm run brand -- check|images|new DIR";

/** `npm run brand`: checks a brand's folder, draws its images, or makes a folder to begin with. */
async function run([word = "", directory]: string[]): Promise<string[]> {
  if (!directory) throw new BadBrand(usage);
  if (word === "new") {
    if (existsSync(directory)) throw new BadBrand(`${directory} is there already.`);
    cpSync("brand", resolve(directory), { recursive: true });
    return [`${directory} is a copy of the default brand. What each file holds: docs/brand.md. Then: ${usage}`];
  }
  if (word === "images") await drawImages(directory);
  else if (word !== "check") throw new BadBrand(usage);
  const problems = await checkBrand(directory);
  if (problems.length > 0) process.exitCode = 1;
  return problems.length > 0 ? problems : [`${directory} can be used: BRAND_DIR=${directory}`];
}

try {
  for (const line of await run(process.argv.slice(2))) console.log(line);
} catch (error) {
  if (!(error instanceof BadBrand)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
