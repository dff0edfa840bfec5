import { expect, test } from "vitest";
import { type Mail, queueMail } from "#platform/mail/mail.server.ts";
import { openTestProduct } from "#testing/product.server.ts";

const { database, fetch, runJobs } = await openTestProduct();
const off = await openTestProduct({
  SANDBOX: "off",
  SMTP_URL: "smtp://127.0.0.1:1",
  MAIL_FROM: "club@cercle.example",
  SHOP_URL: "https://shop.example",
});

const mail: Mail = {
  cause: "reset:1",
  to: "camille@exemple.fr",
  locale: "fr",
  content: {
    subject: `Votre <b>mot de passe</b>`,
    preheader: "Trente minutes.",
    title: "Un nouveau mot de passe",
    paragraphs: ["Bonjour Camille,"],
    action: { label: "Choisir", url: "http://localhost:3000/reinitialiser?token=abc" },
  },
};

await queueMail(database, mail);
await runJobs();

test("an empty mailbox says so, in the visitor's language", async () => {
  const { fetch } = await openTestProduct();
  const page = await fetch("/sandbox/mailbox", { headers: { "accept-language": "en" } });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("No letters yet");
});

test.each([
  ["/sandbox/till", "A till to try"],
  ["/sandbox/office", "A back office to try"],
])("%s speaks the visitor's language", async (path, title) => {
  const page = await fetch(path, { headers: { "accept-language": "en" } });
  expect(await page.text()).toContain(`<h1>${title}</h1>`);
  const named = await fetch(`${path}/de`, { headers: { "accept-language": "en" } });
  expect(await named.text()).toContain('<html lang="de">');
});

test("a page of the sandbox may send the forms that it has", async () => {
  for (const path of ["/sandbox/office", "/sandbox/till", "/sandbox/shop", "/sandbox/mailbox"]) {
    const page = await fetch(path);
    const sends = /<form[^>]* method="post"/.test(await page.text());
    expect(page.headers.get("content-security-policy"), path).toContain(`form-action ${sends ? "'self'" : "'none'"}`);
  }
});

test("without a mail server an email is delivered to the mailbox, newest first, and kept there", async () => {
  const { database, fetch, runJobs, emails } = await openTestProduct();
  await queueMail(database, mail);
  expect(await (await fetch("/sandbox/mailbox")).text()).not.toContain("camille@exemple.fr");
  await runJobs();
  await queueMail(database, { ...mail, cause: "reset:2", to: "lea@exemple.fr" });
  await runJobs();
  const page = await (await fetch("/sandbox/mailbox")).text();
  expect(page.indexOf("lea@exemple.fr")).toBeGreaterThan(0);
  expect(page.indexOf("lea@exemple.fr")).toBeLessThan(page.indexOf("camille@exemple.fr"));
  expect(page).toContain("Votre &lt;b&gt;mot de passe&lt;/b&gt;");
  expect(await emails("camille@exemple.fr")).toMatchObject([
    { sentAt: expect.any(Date), links: [mail.content.action?.url] },
  ]);
});

test("mailbox.json lists the emails of an address with their links", async () => {
  const response = await fetch("/sandbox/mailbox.json?to=Camille@exemple.fr");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await response.json()).toEqual({
    letters: [
      expect.objectContaining({ to: mail.to, subject: mail.content.subject, links: [mail.content.action?.url] }),
    ],
  });
});

test("an email is shown in a sandboxed frame without scripts, and its links open in the top window", async () => {
  const [email] = (await (await fetch("/sandbox/mailbox.json")).json()).letters;
  const page = await fetch(`/sandbox/mailbox?letter=${email.id}`);
  expect(await page.text()).toContain(`<iframe src="/sandbox/mailbox/${email.id}"`);
  expect(page.headers.get("content-security-policy")).toContain("style-src 'self';");
  expect(page.headers.get("content-security-policy")).not.toContain("unsafe-inline");
  const shown = await fetch(`/sandbox/mailbox/${email.id}`);
  expect(await shown.text()).toContain('<base target="_top">');
  expect(shown.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'unsafe-inline';/);
  expect(shown.headers.get("content-security-policy")).not.toContain("script-src");
});

test("the text of an email is shown with its link", async () => {
  const [email] = (await (await fetch("/sandbox/mailbox.json")).json()).letters;
  const page = await (await fetch(`/sandbox/mailbox?letter=${email.id}&form=text`)).text();
  expect(page).toContain('<a href="http://localhost:3000/reinitialiser?token=abc">');
  expect(page).not.toContain("<iframe");
});

test.each([
  ["fr", "Boîte aux lettres"],
  ["en", "Mailbox"],
  ["de", "Briefkasten"],
])("the mailbox is in %s by the cookie, or else by Accept-Language", async (language, title) => {
  const byCookie = new Headers({ cookie: `i18n_redirected=${language}`, "accept-language": "it" });
  for (const headers of [byCookie, new Headers({ "accept-language": language })]) {
    const page = await (await fetch("/sandbox/mailbox", { headers })).text();
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).toContain(`<h1>${title}</h1>`);
  }
});

test.each(["0", "999999", "1e3", "-1", "..%2f", "9".repeat(40)])("there is no email %s", async (id) => {
  expect((await fetch(`/sandbox/mailbox/${id}`)).status).toBe(404);
  expect((await fetch(`/sandbox/mailbox?letter=${id}`)).status).toBe(200);
});

test.each([
  ["fr", "/fr/account/orders", "Ici s’ouvrirait la boutique en ligne", "/account"],
  ["en", "/en/content/privacy-policy", "The online shop would open here", "/en/account"],
  ["de", "/de/programme-fidelite", "Hier würde sich der Onlineshop öffnen", "/de/account"],
  ["fr", "/xx/%3Cscript%3E", "Ici s’ouvrirait la boutique en ligne", "/account"],
])(
  "the page that stands in for the shop is in %s at %s and links back to the account",
  async (language, path, title, back) => {
    const page = await (await fetch(`/sandbox/shop${path}`)).text();
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).toContain(title);
    expect(page).toContain(`<code>${path}</code>`);
    expect(page).toContain(`class="button" href="${back}"`);
  },
);

test.each([
  "/sandbox/mailbox",
  "/sandbox/mailbox.json",
  "/sandbox/mailbox/1",
  "/sandbox/shop/fr/x",
  "/sandbox/sandbox.css",
])("with the sandbox off %s is an unknown page", async (path) => {
  const response = await off.fetch(path);
  expect(response.status).toBe(404);
  expect(response.headers.get("content-type")).toContain("text/html");
  expect(response.headers.get("content-security-policy")).toContain("'nonce-");
});
