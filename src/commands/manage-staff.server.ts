import { asc, eq } from "drizzle-orm";
import { installedBrand } from "#brand/brand.server.ts";
import { defaultLocale, offeredLocales } from "#i18n/locale.ts";
import { normaliseEmail } from "#identity/customer/email/email.server.ts";
import { nameFromEmail } from "#identity/customer/names.server.ts";
import { ownerOfCard } from "#office/shops/people.server.ts";
import { endWaysIn, inviteStaff } from "#office/sign-in/invitation.server.ts";
import { type StaffRole, staffRoles } from "#platform/api/endpoint.server.ts";
import type { Database, Queries } from "#platform/database/database.server.ts";
import type { Settings } from "#platform/settings.server.ts";
import { shops } from "#shop/keys/shops.tables.server.ts";
import { type AuditEntry, writeAudit } from "#staff/audit.server.ts";
import type { Pins } from "#staff/pins.server.ts";
import { addStaff, endStaff, newPin, recordOwnCard } from "#staff/staff.server.ts";
import { staff } from "#staff/staff.tables.server.ts";
import { clearPinAttempts, endSessionsOf, replacePin } from "#till/sign-in/sign-in.server.ts";
import { CommandRefused } from "./command.server.ts";

const usage = `Usage:
  npm run staff -- add EMAIL FIRSTNAME LASTNAME ROLE [IDSHOP]   roles: ${staffRoles.join(", ")}; IDSHOP for the role shop
  npm run staff -- invite EMAIL ROLE [IDSHOP] [fr|en|de]        mails a link to the back office; adds the person if new
  npm run staff -- pin EMAIL                                    a new PIN for tills
  npm run staff -- card EMAIL CARDNUMBER                        their own card, which they may not ring up themselves
  npm run staff -- unlock EMAIL                                 after too many wrong PINs
  npm run staff -- end EMAIL
  npm run staff -- list`;

interface Dependencies {
  database: Database;
  pins: Pins;
  settings: Settings;
  now: Date;
}

/** The retailer's people, as an operator types them. The last line of `add` and `pin` is the id or the PIN alone. */
export async function manageStaff(deps: Dependencies, words: string[]): Promise<string[]> {
  const { database } = deps;
  const [verb, ...rest] = words;
  if (verb === "add" && rest.length >= 4 && rest.length <= 5) return add(deps, rest);
  if (verb === "invite" && rest.length >= 2 && rest.length <= 4) return invite(deps, rest);
  if (verb === "list" && rest.length === 0) return list(database);
  const [email = "", card] = rest;
  const alone = rest.length === 1 && ["pin", "unlock", "end"].includes(verb ?? "");
  if (verb === "card" && card && rest.length === 2) return recordCard(deps, email, card);
  if (!alone) throw new CommandRefused(usage);
  return database.transaction(async (tx) => {
    const person = await find(tx, email);
    if (verb === "pin") return renew(tx, deps, person);
    if (verb === "unlock") {
      await clearPinAttempts(tx, person.id);
      await audit(tx, deps, { action: "staff_unlocked", staffId: person.id });
      return [`${person.email} may sign in at every till again.`];
    }
    await endStaff(tx, person.id, deps.now);
    await endSessionsOf(tx, person.id);
    await endWaysIn(tx, person.id);
    await audit(tx, deps, { action: "staff_ended", staffId: person.id });
    return [`${person.email} has ended: no till accepts their PIN from now on.`];
  });
}

async function add({ database, now }: Dependencies, words: string[]): Promise<string[]> {
  const [given = "", firstname = "", lastname = "", role = "", shop] = words.map((word) => word.trim());
  const email = normaliseEmail(given);
  if (!email) throw new CommandRefused(`${given} is no e-mail address.`);
  if (!firstname || !lastname || firstname.length > 80 || lastname.length > 80)
    throw new CommandRefused("FIRSTNAME and LASTNAME have 1 to 80 characters.");
  if (!isRole(role)) throw new CommandRefused(`The role is one of ${staffRoles.join(", ")}.`);
  if ((role === "shop") !== (shop !== undefined))
    throw new CommandRefused("Somebody with the role shop has an IDSHOP, nobody else.");
  const shopId = shop === undefined ? null : await findShop(database, shop);
  return database.transaction(async (tx) => {
    const [known] = await tx.select({ id: staff.id }).from(staff).where(eq(staff.email, email));
    if (known) throw new CommandRefused(`${email} is there already.`);
    const staffId = await addStaff(tx, { email, firstname, lastname, role, shopId });
    await audit(tx, { now }, { action: "staff_added", staffId, after: { role, shopId } });
    return [`${firstname} ${lastname} was added with the role ${role}. IdStaff:`, String(staffId)];
  });
}

/** Invites a person to the back office, again too: who has lost password or codes starts anew. */
async function invite({ database, settings, now }: Dependencies, words: string[]): Promise<string[]> {
  const language = words.at(-1) ?? "";
  const chosen = offeredLocales().find((one) => one === language);
  const locale = chosen ?? defaultLocale();
  const [given = "", role = "", shop, ...more] = chosen ? words.slice(0, -1) : words;
  if (more.length > 0) throw new CommandRefused(usage);
  const email = normaliseEmail(given);
  if (!email) throw new CommandRefused(`${given} is no e-mail address.`);
  if (!isRole(role)) throw new CommandRefused(`The role is one of ${staffRoles.join(", ")}.`);
  if ((role === "shop") !== (shop !== undefined))
    throw new CommandRefused("Somebody with the role shop has an IDSHOP, nobody else.");
  const shopId = shop === undefined ? null : await findShop(database, shop);
  return database.transaction(async (tx) => {
    const [known] = await tx.select().from(staff).where(eq(staff.email, email));
    if (known?.endedAt) throw new CommandRefused(`${email} no longer works here.`);
    if (known && (known.role !== role || known.shopId !== shopId))
      throw new CommandRefused(`${email} has the role ${known.role}${known.shopId ? ` of shop ${known.shopId}` : ""}.`);
    const names = namesFrom(email);
    const id = known?.id ?? (await addStaff(tx, { email, ...names, role, shopId }));
    await inviteStaff(tx, settings, { id, email, firstname: known?.firstname ?? names.firstname }, { locale, now });
    const isNew = { after: { role, shopId } };
    await audit(tx, { now }, { action: "staff_invited", staffId: id, ...(!known && isNew) });
    return [`${email} was sent a link that works once, for 24 hours.`];
  });
}

/** nora.petit@… is Nora Petit, until she says otherwise. */
function namesFrom(email: string) {
  const [first = "", ...rest] = nameFromEmail(email)
    .split(/[\s._-]+/)
    .filter(Boolean);
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const firstname = capital(first) || installedBrand().Name;
  return { firstname, lastname: rest.map(capital).join(" ") || firstname };
}

const isRole = (word: string): word is StaffRole => (staffRoles as readonly string[]).includes(word);

/** The id of a shop as it was typed. */
export async function findShop(queries: Queries, typed: string): Promise<number> {
  const id = /^[1-9]\d{0,8}$/.test(typed) ? Number(typed) : 0;
  const [found] = await queries.select({ id: shops.id }).from(shops).where(eq(shops.id, id));
  if (!found) throw new CommandRefused(`There is no shop ${typed}.`);
  return found.id;
}

async function renew(tx: Queries, deps: Dependencies, { id: staffId, email }: Person): Promise<string[]> {
  const { pin, pinHash } = await newPin(deps.pins);
  await replacePin(tx, staffId, pinHash);
  await audit(tx, deps, { action: "staff_pin", staffId });
  return [`The new PIN of ${email}. It is shown only now:`, pin];
}

async function recordCard(deps: Dependencies, email: string, card: string): Promise<string[]> {
  return deps.database.transaction(async (tx) => {
    const { id: staffId, email: found, ownCustomerId } = await find(tx, email);
    const owner = await ownerOfCard(tx, card);
    if (owner === undefined) throw new CommandRefused(`There is no card ${card}.`);
    await recordOwnCard(tx, staffId, owner);
    const change = { before: { ownCustomerId }, after: { ownCustomerId: owner }, personal: { card } };
    await audit(tx, deps, { action: "staff_card", staffId, customerId: owner, ...change });
    return [`${found} cannot ring up the card ${card} from now on.`];
  });
}

type Person = typeof staff.$inferSelect;

async function find(queries: Queries, typed: string): Promise<Person> {
  const [person] = await queries
    .select()
    .from(staff)
    .where(eq(staff.email, normaliseEmail(typed) ?? ""));
  if (!person || person.endedAt) throw new CommandRefused(`Nobody with the address ${typed} works here.`);
  return person;
}

async function list(queries: Queries): Promise<string[]> {
  const people = await queries.select().from(staff).orderBy(asc(staff.email));
  if (people.length === 0) return ["Nobody yet."];
  return people.map((person) =>
    [
      ...[person.id, person.email, person.firstname, person.lastname, person.role],
      ...(person.shopId === null ? [] : [`shop ${person.shopId}`]),
      ...(person.endedAt ? ["ended"] : [person.pinHash ? "PIN" : "no PIN"]),
    ].join("  "),
  );
}

const audit = (tx: Queries, { now }: Pick<Dependencies, "now">, entry: Omit<AuditEntry, "at" | "madeBy">) =>
  writeAudit(tx, { madeBy: "command", at: now, ...entry });
