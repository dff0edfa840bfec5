import { defaultProgrammeId, queryProgramme } from "#loyalty/programme/programme.server.ts";
import { rulesOf } from "#loyalty/programme/versions/versions.server.ts";
import { openOfficeSession } from "#office/sign-in/session.server.ts";
import type { Call } from "#platform/api/client/client.ts";
import type { StaffRole } from "#platform/api/endpoint.server.ts";
import { addShop } from "#shop/keys/keys.server.ts";
import { addStaff } from "#staff/staff.server.ts";
import { givePin } from "#testing/give-pin.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import * as tillCalls from "#till/calls.ts";
import { tillLine } from "#till/contract.server.ts";

/** A person who rings up sales. The calls are those of shops, with a key or at a till. */
export interface Seller {
  name: string;
  shopId: number;
  /** Null: with a key. */
  staffId: number | null;
  call: () => Promise<Call>;
}

/**
 * The staff and the partner of a group that looks for value: an assistant, a manager and a colleague whom the manager
 * invented at one till, the same manager and a marketing person in the back office, a partner with the key of a web shop.
 * A third shop belongs to people outside the group.
 */
export async function openValuePeople() {
  const product = await openTestOffice();
  const { addPerson, addTill, clock, database, openBrowser, openShop, pairTill, pins } = product;
  const boutique = await openShop("Boutique");
  const partnerId = await addShop(database, { name: "Partner", city: "Paris", kind: "web" });
  const partnerShop = { shopId: partnerId, ...(await addTill(partnerId)) };
  const otherShop = await openShop("Other");
  const till = await pairTill(boutique.shopId);
  let signedIn = { id: 0, at: clock.now };

  function atTill(name: string, person: { id: number; pin: string }): Seller {
    const call = async () => {
      // A till asks for the PIN again after a while without a call.
      if (signedIn.id !== person.id || clock.now.getTime() - signedIn.at.getTime() > 120_000)
        await till.call(tillCalls.signIn, { IdStaff: person.id, Pin: person.pin });
      signedIn = { id: person.id, at: clock.now };
      // The till's calls have the fields and responses of the shop's; TypeScript cannot follow the change of the line.
      const shopCall = (line: string, ...rest: unknown[]) =>
        (till.call as (...all: unknown[]) => unknown)(tillLine(line), ...rest);
      return shopCall as Call;
    };
    return { name, shopId: boutique.shopId, staffId: person.id, call };
  }

  /** A person of the back office, signed in a moment ago at each call. */
  async function inOffice(role: StaffRole) {
    const shopId = role === "shop" ? boutique.shopId : null;
    const person = { email: `value-${role}@cercle.example`, firstname: "Lou", lastname: "Garnier", role, shopId };
    const id = await addStaff(database, person);
    const browser = openBrowser();
    const call = async () => {
      const token = await openOfficeSession(database, new Request("https://cercle.example"), id, clock.now);
      browser.cookies.set("staff.token", token);
      return browser.call;
    };
    return { id, call };
  }

  const manager = await inOffice("shop");
  const marketing = await inOffice("marketing");
  const invented = {
    email: "value-invented@cercle.example",
    firstname: "Ada",
    lastname: "Petit",
    role: "shop",
  } as const;
  const inventedId = await addStaff(database, { ...invented, shopId: boutique.shopId, addedBy: manager.id });
  const withPin = async (id: number) => ({ id, pin: await givePin(database, pins, id) });
  const sellers = {
    assistant: atTill("assistant", await addPerson(boutique.shopId)),
    manager: atTill("manager", await withPin(manager.id)),
    invented: atTill("invented colleague", await withPin(inventedId)),
    partner: {
      name: "partner",
      shopId: partnerShop.shopId,
      staffId: null,
      call: async () => partnerShop.call,
    } as Seller,
  };
  /** The programme in force. */
  const readRules = async () => rulesOf(await queryProgramme(database, defaultProgrammeId, clock.now));
  return { ...product, readRules, otherShop, sellers, manager, marketing, newNumber: boutique.newNumber };
}

export type ValuePeople = Awaited<ReturnType<typeof openValuePeople>>;
