import { expect, test } from "vitest";
import * as shopsCalls from "#office/shops/calls.ts";
import { refusalOf } from "#testing/club.server.ts";
import { openTestOffice } from "#testing/office.server.ts";
import * as tillCalls from "#till/calls.ts";
import * as calls from "./calls.ts";

const { addOfficePerson, addPerson, clock, openBrowser, openOffice, openShop, openTill } = await openTestOffice();
type Office = Awaited<ReturnType<typeof openOffice>>;

test("an owner ends a person everywhere, never themselves, and never the last owner", async () => {
  const [owner, other] = [await openOffice("owner"), await openOffice("owner")];
  const till = await openTill();
  const end = (by: Office, id: number) => by.call(calls.endPerson, { IdStaff: String(id) });
  expect(await refusalOf(end(owner, owner.id))).toMatchObject({ code: "not_yourself" });
  await end(owner, till.person.id);
  expect(await refusalOf(till.call(tillCalls.quote, { Amount: "1.00" }))).toMatchObject({ code: "pin_required" });
  expect(await refusalOf(end(owner, till.person.id))).toMatchObject({ code: "not_found" });
  const ended = await Promise.allSettled([end(owner, other.id), end(other, owner.id)]);
  expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const left = ended[0]?.status === "fulfilled" ? owner : other;
  const { Staff } = await left.call(calls.listStaff);
  expect(Staff.find(({ IdStaff }) => IdStaff === till.person.id)?.EndedAt).toBe(clock.now.toISOString());
});

test("who is invited again with another shop signs in again at the tills, where they may", async () => {
  const owner = await openOffice("owner");
  const [till, other] = [await openTill(), await openShop()];
  const quote = () => refusalOf(till.call(tillCalls.quote, { Amount: "1.00" }));
  expect((await quote()).status).toBeUndefined();
  const person = { Email: till.person.email, Firstname: "Nora", Lastname: "Petit", Role: "shop" as const };
  const invited = { ...person, IdShop: String(other.shopId) };
  // Typed as an address alone it would change a colleague whom the owner may not mean.
  const failed = await owner.call(calls.invitePerson, invited).then(
    () => undefined,
    (error) => error,
  );
  expect(failed?.problem).toMatchObject({ status: 400, errors: [{ field: "Email", code: "colleague" }] });
  expect((await quote()).status).toBeUndefined();
  await owner.call(calls.invitePerson, { ...invited, IdStaff: String(till.person.id) });
  expect(await quote()).toMatchObject({ code: "pin_required" });
});

test("the list says by what each comes in, and who is locked out at a till", async () => {
  const [owner, till] = [await openOffice("owner"), await openTill()];
  const of = async (id: number) => (await owner.call(calls.listStaff)).Staff.find(({ IdStaff }) => IdStaff === id);
  const person = { Email: "nora.petit@cercle.example", Firstname: "Nora", Lastname: "Petit", Role: "service" as const };
  const { IdStaff: invited } = await owner.call(calls.invitePerson, person);
  const none = { HasPassword: false, HasPin: false, Passkeys: 0, Locked: false };
  expect(await of(invited)).toMatchObject({ ...none, InvitedUntil: expect.any(String) });
  expect(await of((await addOfficePerson("service")).id)).toMatchObject({ ...none, HasPassword: true });
  expect(await of(till.person.id)).toMatchObject({ ...none, HasPin: true });
  const wrong = { IdStaff: String(till.person.id), Pin: till.person.pin === "482913" ? "482914" : "482913" };
  for (let n = 0; n < 5; n += 1) await refusalOf(till.call(tillCalls.signIn, wrong));
  expect(await of(till.person.id)).toMatchObject({ Locked: true });
  await owner.call(calls.unlockPerson, { IdStaff: String(till.person.id) });
  expect(await of(till.person.id)).toMatchObject({ Locked: false });
});

test("a shop's manager unlocks, pairs and revokes for their own shop alone", async () => {
  const till = await openTill();
  const manager = await openOffice("shop", till.shopId);
  const stranger = await openOffice("shop");
  const IdStaff = String(till.person.id);
  const wrong = { IdStaff, Pin: till.person.pin === "482913" ? "482914" : "482913" };
  for (let n = 0; n < 5; n += 1) await refusalOf(till.call(tillCalls.signIn, wrong));
  const signIn = () => till.call(tillCalls.signIn, { IdStaff, Pin: till.person.pin });
  expect(await refusalOf(signIn())).toMatchObject({ code: "pin_locked" });
  expect(await refusalOf(stranger.call(calls.unlockPerson, { IdStaff }))).toMatchObject({ code: "not_found" });
  const own = manager.call(calls.unlockPerson, { IdStaff: String(manager.id) });
  expect(await refusalOf(own)).toMatchObject({ code: "not_yourself" });
  await manager.call(calls.unlockPerson, { IdStaff });
  await signIn();

  const IdShop = String(till.shopId);
  expect(await refusalOf(stranger.call(shopsCalls.pairTill, { IdShop }))).toMatchObject({ code: "forbidden" });
  const { Code } = await manager.call(shopsCalls.pairTill, { IdShop, TillName: "Cabines" });
  expect(await openBrowser().call(tillCalls.pair, { Code })).toMatchObject({ TillName: "Cabines" });

  const Till = till.cookies.get("till.device")?.split(".")[0] ?? "";
  expect(await refusalOf(stranger.call(shopsCalls.revokeTill, { Till }))).toMatchObject({ code: "not_found" });
  await manager.call(shopsCalls.revokeTill, { Till });
  expect(await refusalOf(signIn())).toMatchObject({ code: "not_paired" });
});

test("a manager does not unlock people of head office: each unlocking would bring five more guesses of their PIN", async () => {
  const [one, two] = [await openTill(), await openTill()];
  const person = await addPerson(null);
  const IdStaff = String(person.id);
  for (const till of [one, two])
    for (let n = 0; n < 5; n += 1) await refusalOf(till.call(tillCalls.signIn, { IdStaff, Pin: "000001" }));
  const manager = await openOffice("shop", one.shopId);
  expect(await refusalOf(manager.call(calls.unlockPerson, { IdStaff }))).toMatchObject({ code: "not_found" });
  const locked = one.call(tillCalls.signIn, { IdStaff, Pin: person.pin });
  expect(await refusalOf(locked)).toMatchObject({ code: "pin_locked" });
  await (await openOffice("owner")).call(calls.unlockPerson, { IdStaff });
  for (const till of [one, two]) await till.call(tillCalls.signIn, { IdStaff, Pin: person.pin });
});

test("a shop's manager ends people of the own shop, no one else's and not head office's", async () => {
  const manager = await openOffice("shop");
  const [own, other, head] = [
    await addPerson(manager.shopId),
    await addPerson((await openShop()).shopId),
    await addPerson(null),
  ];
  const end = (id: number) => refusalOf(manager.call(calls.endPerson, { IdStaff: String(id) }));
  expect(await end(own.id)).toMatchObject({ status: undefined });
  for (const { id } of [other, head]) expect(await end(id)).toMatchObject({ code: "not_found" });
  expect(await end(manager.id)).toMatchObject({ code: "not_yourself" });
});
