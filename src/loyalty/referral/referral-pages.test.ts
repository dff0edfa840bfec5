import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { textsOf } from "#brand/texts.server.ts";
import { localePath, locales } from "#i18n/locale.ts";
import { pagePaths } from "#identity/paths.ts";
import { subscribe } from "#loyalty/calls.ts";
import { firstProgramme } from "#loyalty/programme/first-programme.server.ts";
import { noReferral } from "#loyalty/programme/rules.ts";
import { openTestPages } from "#testing/member-page.server.ts";
import { freshEmail, password } from "#testing/people.server.ts";
import { publishNow } from "#testing/programme.server.ts";

const { addCustomer, clock, database, fetch, see } = await openTestPages();

const hiddenCode = (html: string) => /<input type="hidden" name="ReferralCode" value="([^"]*)"/.exec(html)?.[1];
const friendsOf = async (memberId: number) =>
  (
    await database.execute<{ email: string }>(sql`
    select c.email from loyalty_referral r join customer c on c.id = r.customer_id where r.member_id = ${memberId}`)
  ).rows;

test("without script: the member page has a link, which leads to a registration that remembers it", async () => {
  const member = await addCustomer();
  await member.call(subscribe);
  const { html } = await see(member, `${pagePaths.memberPage}?tab=benefits`);
  const link = /href="[^"]*(\/friend\/[0-9a-f]{16})"/.exec(html)?.[1] ?? "";
  for (const locale of locales) {
    const landing = await fetch(link, { headers: { "accept-language": locale } });
    const address = landing.headers.get("location") ?? "";
    const page = await (await fetch(address)).text();
    expect(page).toContain(textsOf[locale].t("register.friend"));
    expect(hiddenCode(page)).toBe(link.split("/").at(-1));
    const Email = freshEmail();
    const fields = {
      ...{ Email, Password: password, Firstname: "Léa", Lastname: "Martin", Birthday: "17/05/1990" },
      ...{ LoyaltySubscribe: "true", ReferralCode: hiddenCode(page) ?? "" },
    };
    const body = new URLSearchParams(fields);
    const sent = await fetch(address, { method: "POST", headers: { "sec-fetch-site": "same-origin" }, body });
    expect(sent.headers.get("location")).toContain(localePath(locale, pagePaths.memberPage));
    expect(await friendsOf(member.id)).toContainEqual({ email: Email });
  }
});

test("the button for the friend's link has its place before its script, so that nothing moves when it comes", async () => {
  const member = await addCustomer();
  await member.call(subscribe);
  const { html } = await see(member, `${pagePaths.memberPage}?tab=benefits`);
  const button = new RegExp(`<button[^>]* class="([^"]*)"[^>]*><span[^>]*>${textsOf.fr.t("member.referralCopy")}<`);
  expect(button.exec(html)?.[1]?.split(" ")).toContain("invisible");
});

test("after a registration without the club, also with a provider, the page to join remembers the link", async () => {
  const friend = await addCustomer();
  const { html } = await see(friend, `${pagePaths.memberPage}?friend=0123456789abcdef`);
  expect(hiddenCode(html)).toBe("0123456789abcdef");
  const registered = await fetch(`${pagePaths.register}?join&friend=0123456789abcdef`, {
    headers: { cookie: `auth.token=${friend.token}` },
  });
  expect(registered.headers.get("location")).toBe(`${pagePaths.memberPage}?friend=0123456789abcdef`);
});

test("where recommending brings nothing, no page speaks of it", async () => {
  const member = await addCustomer();
  await member.call(subscribe);
  const clubPage = async () => (await fetch("/en/loyalty")).text();
  expect(await clubPage()).toContain(textsOf.en.t("loyalty.referral"));
  await publishNow(database, { referral: noReferral }, { now: clock.now });
  expect(await clubPage()).not.toContain(textsOf.en.t("loyalty.referral"));
  expect((await see(member, `${pagePaths.memberPage}?tab=benefits`)).html).not.toContain("/friend/");
  await publishNow(database, { referral: firstProgramme().referral }, { now: clock.now });
});
