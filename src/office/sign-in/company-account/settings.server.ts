import { z } from "zod";
import { sandboxDomain } from "#brand/sandbox-address.server.ts";
import { staffRoles } from "#platform/api/endpoint.server.ts";
import { BadSetting } from "#platform/settings.server.ts";

const list = z.string().transform((text) =>
  text
    .split(",")
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== ""),
);

/** A role by its name, of a shop with the shop's number. */
const mappedRole = z.string().transform((text, context) => {
  const [name, shop] = text.split(":");
  const role = staffRoles.find((one) => one === name);
  const shopId = shop === undefined ? null : Number(shop);
  if (role && (role === "shop") === (shopId !== null) && (shopId === null || Number.isSafeInteger(shopId)))
    return { role, shopId };
  context.addIssue(`"${text}" is no role: owner, marketing, service or shop:NUMBER`);
  return z.NEVER;
});

const mapping = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue("it must be JSON");
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), mappedRole));

/** Staff sign in with the account of their company, by OpenID Connect; as the environment spells it. */
export const companyAccountEnvironment = {
  STAFF_SSO: z.enum(["optional", "required"]).optional(),
  /** As the provider spells it: some end with a slash. */
  STAFF_SSO_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  STAFF_SSO_CLIENT_ID: z.string().optional(),
  STAFF_SSO_CLIENT_SECRET: z.string().optional(),
  STAFF_SSO_SCOPE: z.string().default("openid email profile offline_access"),
  STAFF_SSO_DOMAINS: list.optional(),
  STAFF_SSO_CLAIM: z.string().default("groups"),
  STAFF_SSO_ROLES: mapping.optional(),
  STAFF_SSO_EMERGENCY_OWNER: z.email().toLowerCase().optional(),
};

type Given = Partial<z.output<z.ZodObject<typeof companyAccountEnvironment>>>;

/** The client by which the sandbox's own provider knows us, and who works there. */
export const sandboxCompany = {
  clientId: "cercle.sandbox",
  clientSecret: "sandbox",
  roles: {
    "cercle-owners": { role: "owner", shopId: null },
    "cercle-marketing": { role: "marketing", shopId: null },
    "cercle-service": { role: "service", shopId: null },
  },
} as const;

/** The provider of the company; the sandbox's where none is named, and nothing where there is no sandbox either. */
export function companyAccountSettings(given: Given, sandboxOrigin: string | undefined) {
  const { STAFF_SSO, STAFF_SSO_ISSUER: issuer, STAFF_SSO_EMERGENCY_OWNER: emergencyOwner } = given;
  const required = STAFF_SSO === "required";
  if (required && !emergencyOwner)
    throw new BadSetting("The setting STAFF_SSO_EMERGENCY_OWNER is missing: STAFF_SSO=required turns passwords off.");
  const shared = {
    required,
    emergencyOwner,
    scope: given.STAFF_SSO_SCOPE ?? "openid",
    claim: given.STAFF_SSO_CLAIM ?? "groups",
  };
  if (issuer === undefined) {
    for (const name of ["STAFF_SSO_CLIENT_ID", "STAFF_SSO_ROLES", "STAFF_SSO_DOMAINS"] as const)
      if (given[name] !== undefined) throw new BadSetting(`The setting STAFF_SSO_ISSUER is missing: ${name} needs it.`);
    if (sandboxOrigin !== undefined)
      return {
        companyAccount: {
          ...{ ...shared, ...sandboxCompany },
          ...{ domains: [sandboxDomain()], issuer: `${sandboxOrigin}/sandbox/company` },
        },
      };
    if (required) throw new BadSetting("The setting STAFF_SSO_ISSUER is missing: STAFF_SSO=required needs it.");
    return { companyAccount: undefined };
  }
  const { STAFF_SSO_CLIENT_ID: clientId, STAFF_SSO_CLIENT_SECRET: clientSecret } = given;
  const { STAFF_SSO_DOMAINS: domains, STAFF_SSO_ROLES: roles } = given;
  if (!clientId || !clientSecret || !domains?.length || !roles)
    throw new BadSetting(
      "The setting STAFF_SSO_ISSUER needs STAFF_SSO_CLIENT_ID, STAFF_SSO_CLIENT_SECRET, STAFF_SSO_DOMAINS and STAFF_SSO_ROLES.",
    );
  if (!issuer.startsWith("https:") && sandboxOrigin === undefined)
    throw new BadSetting("The setting STAFF_SSO_ISSUER cannot be used: it must begin with https.");
  return { companyAccount: { ...shared, issuer, clientId, clientSecret, domains, roles } };
}

export type CompanyAccountSettings = NonNullable<ReturnType<typeof companyAccountSettings>["companyAccount"]>;
