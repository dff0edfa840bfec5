import fc from "fast-check";
import { expect, test } from "vitest";
import { emailsTo, enter, form, freshEmail, guestForm, registrationForm } from "#testing/people.server.ts";
import { startProcessorTimer } from "#testing/processor-timer.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { socialTools } from "#testing/services/social.server.ts";
import { containsLink, harmlessName } from "./names.server.ts";

const product = await openTestProduct();
const { call, fetch, database } = product;

const names = [
  "Jean-Paul",
  "O'Neill",
  "O’Neill",
  "J. R. R.",
  "J.R.R. Tolkien",
  "J.-P.",
  "St. John",
  "Anne-Sophie de la Tour d'Auvergne",
  "Dr. Müller",
  "李",
  "Nguyễn Văn A",
  "M. Dupont Jr.",
  "Ph.D.",
  "S:t Clair",
  "Zoë/Zoé",
  "Louis 14",
  "עומר",
  "می‌خواهم",
  "डॉ. राम",
  "Ana María",
];

const links = [
  "https://evil.example/x",
  "Gagnez HTTP://EVIL",
  "www.evil",
  "Voir WWW.evil.example",
  "evil.example/x",
  "evil.example",
  "bit.ly/abc",
  "t.co",
  "Léa evil.fr",
  "прямо.рф",
  "evil.xn--p1ai",
  "evil\u200b.example",
  "evil.\u00adexample",
  "evil．example",
  "evil。example",
  "evil｡example",
  "evil․example",
  "a@b",
  "a＠b",
  "//evil",
  "\\\\evil\\x",
  "：／／evil",
  "192.168.0.1",
  "mailto:eve",
  "tel:+33899",
];

test.each(names)("the name %s is accepted", async (name) => {
  expect(containsLink(name)).toBe(false);
  expect(harmlessName(name)).toBe(name);
  const { Customer } = await enter(call, guestForm({ Firstname: name, Lastname: name }));
  expect(Customer).toMatchObject({ Firstname: name, Lastname: name });
});

const { Token } = await enter(call, guestForm());

/** By registration, by the guests' form and by the profile. */
const sendAsName = (name: string) =>
  Promise.all([
    fetch("/api/customer", form(registrationForm({ Firstname: name }))),
    fetch("/api/customer", form(guestForm({ Lastname: name }))),
    fetch("/api/customer", {
      ...form({ Firstname: name, Lastname: "Martin" }),
      method: "PUT",
      headers: { authorization: `Bearer ${Token}` },
    }),
  ]);

test.each(links)("%s is refused as a name by every form", async (name) => {
  const responses = await sendAsName(name);
  const errors = await Promise.all(responses.map(async (response) => (await response.json()).errors));
  expect(responses.map(({ status }) => status)).toEqual([400, 400, 400]);
  expect(errors).toMatchObject([
    [{ field: "Firstname", code: "name_link" }],
    [{ field: "Lastname", code: "name_link" }],
    [{ field: "Firstname", code: "name_link" }],
  ]);
});

test.each(["\u200b", "\u2060\ufeff", "\u3164", "\u2800 \u2800", "\u00ad", "\u{e0041}", "\ufe0f\u200d"])(
  "a name of invisible characters alone (%j) is refused as missing, and so is a street",
  async (name) => {
    const responses = await sendAsName(name);
    const errors = await Promise.all(responses.map(async (response) => (await response.json()).errors));
    expect(errors).toMatchObject([
      [{ field: "Firstname", code: "required" }],
      [{ field: "Lastname", code: "required" }],
      [{ field: "Firstname", code: "required" }],
    ]);
    expect(harmlessName(name)).toBe("");
  },
);

test.each([
  ["fr", "Indiquez un nom sans adresse web ni e-mail, avec un espace après chaque point"],
  ["en", "Enter a name without a web or email address, with a space after each full stop"],
  ["de", "Geben Sie einen Namen ohne Web- oder E‑Mail-Adresse an, mit einem Leerzeichen nach jedem Punkt"],
])("the refusal says what to do, in %s", async (LanguageIsoCode, message) => {
  const refused = await fetch("/api/customer", form(registrationForm({ Firstname: "evil.example", LanguageIsoCode })));
  expect((await refused.json()).errors).toMatchObject([{ field: "Firstname", message }]);
});

test("links in a provider's names are removed, and no mail contains them", async () => {
  const social = socialTools(product);
  const Email = freshEmail("eve.evil");
  const { Customer } = await social.enterFacebook({
    Email,
    Firstname: "Eve https://evil.example/x",
    Lastname: "b@c.fr",
  });
  expect(Customer).toMatchObject({ Firstname: "Eve https evil example x", Lastname: "b c fr" });
  const nameless = await social.enterGoogle({ Email: freshEmail("lea.martin.fr") });
  expect(nameless.Customer.Firstname).toMatch(/^lea martin fr [\da-f]+$/);
  const mails = await emailsTo(database, Email);
  expect(mails).toHaveLength(1);
  for (const { content: email } of mails) expect(email.text).not.toMatch(/evil\.example|b@c/);
});

/** Random text of the characters that links consist of. */
const pieces = fc.constantFrom(
  ...".@:/\\。．｡․＠ -'aé李Ж1٣wW\u200b\u00ad\u0301\u2028",
  "www.",
  "://",
  ".com",
  "http:",
  "…",
);
const hostile = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(""));

test("whatever a provider sends, the stored name contains no link", () => {
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: "binary", maxLength: 100 })), (text) => {
      const name = harmlessName(text);
      expect(containsLink(name)).toBe(false);
      expect(harmlessName(name)).toBe(name);
    }),
    { numRuns: 2_000 },
  );
});

test.each(["a", ".", "a.", " ", "/ ", "w", "ww", "\u200b", "é", "http", ". "])(
  "100 000 characters of %j are checked in two seconds: a quadratic pattern would take minutes",
  (piece) => {
    const text = piece.repeat(100_000 / piece.length);
    const taken = startProcessorTimer();
    for (const judged of [text, `${text}a.bc`]) harmlessName(judged);
    expect(taken()).toBeLessThan(2_000);
  },
);
