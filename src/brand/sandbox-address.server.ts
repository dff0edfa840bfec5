import { installedBrand } from "./brand.server.ts";

/** Where the sandbox's people of the brand have their addresses: a domain that is nobody's, whatever the brand's own is. */
export function sandboxDomain(): string {
  const name = installedBrand().Name.normalize("NFD").toLowerCase();
  return `${name.replace(/[^a-z0-9]+/g, "") || "brand"}.example`;
}

export const sandboxAddress = (name: string): string => `${name}@${sandboxDomain()}`;
