import { existsSync } from "node:fs";
import { join } from "node:path";
import people from "../../db/people.json";
import { installedBrand } from "./brand.server.ts";
import { readJson } from "./brand-file.server.ts";

export interface DemoPerson {
  email: string;
  firstname: string;
  lastname: string;
}

/** The people of the demo: the brand's own, or the default ones. */
export function readDemoPeople(): readonly DemoPerson[] {
  const file = join(installedBrand().directory, "people.json");
  return (existsSync(file) ? readJson(file) : people) as DemoPerson[];
}
