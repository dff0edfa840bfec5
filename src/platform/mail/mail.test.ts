import { createServer } from "node:net";
import { count, eq, sql } from "drizzle-orm";
import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import { runDueJobs } from "#platform/jobs/jobs.server.ts";
import { openTestProduct } from "#testing/product.server.ts";
import { openTestSmtp } from "#testing/services/smtp.server.ts";
import { type EmailContent, mailJobs, queueMail } from "./mail.server.ts";
import { mails } from "./mail.tables.server.ts";

const smtp = await openTestSmtp();
const from = "Cercle <club@cercle.example>";
const { database, product, runJobs, emails } = await openTestProduct({
  // A busy machine is slow to greet.
  SMTP_URL: `${smtp.url}?connectionTimeout=60000&greetingTimeout=60000&socketTimeout=60000`,
  MAIL_FROM: from,
});

const email: EmailContent = {
  subject: "Votre nouveau mot de passe",
  preheader: "Le lien est valable trente minutes.",
  title: "Un nouveau mot de passe",
  paragraphs: ["Bonjour Camille,", "Choisissez un nouveau mot de passe."],
  action: { label: "Choisir un mot de passe", url: "https://cercle.example/reinitialiser?token=s3cret&x=1" },
  footnote: "Vous n'avez rien demandé ? Ne faites rien.",
};
const to = "camille@exemple.fr";
const write = (cause: string, more: Partial<EmailContent> = {}) =>
  queueMail(database, { cause, to, locale: "fr", content: { ...email, ...more } });
const rowOf = async (cause: string) => (await database.select().from(mails).where(eq(mails.cause, cause)))[0];

beforeEach(async () => {
  await database.delete(mails);
  await database.execute(sql`delete from graphile_worker._private_jobs`);
  smtp.received.length = 0;
  smtp.refuse(undefined);
});

test("an email reaches the mail server with its text, its HTML, its language and its sender", async () => {
  await write("welcome:1");
  expect((await emails(to))[0]).toMatchObject({ sentAt: null, links: [email.action?.url] });
  await runJobs();
  const [heard] = smtp.received;
  expect(heard).toMatchObject({ subject: email.subject, envelope: [to], from: { address: "club@cercle.example" } });
  expect(heard?.html).toContain('<html lang="fr"');
  expect(heard?.text).toContain("https://cercle.example/reinitialiser?token=s3cret&x=1");
  expect(heard?.headers).toContainEqual(expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }));
  expect((await rowOf("welcome:1"))?.sentAt).toBeInstanceOf(Date);
});

test("an offer tells mail programs where to end offers with one click, no other email does", async () => {
  const url = "https://cercle.example/unsubscribe?token=x.y";
  await write("offer:1", { footnote: "Offers", unsubscribe: { label: "Stop", url } });
  await write("welcome:1");
  await runJobs();
  const lists = smtp.received.map(({ headers }) =>
    headers.filter(({ key }) => key.startsWith("list-")).map(({ key, value }) => [key, value]),
  );
  expect(lists.toSorted((a, b) => b.length - a.length)).toEqual([
    expect.arrayContaining([
      ["list-unsubscribe", `<${url}>`],
      ["list-unsubscribe-post", "List-Unsubscribe=One-Click"],
    ]),
    [],
  ]);
  expect((await rowOf("offer:1"))?.unsubscribeUrl).toBeNull();
});

test("an email whose cause is rolled back is never sent", async () => {
  await expect(
    database.transaction(async (transaction) => {
      await queueMail(transaction, { cause: "welcome:2", to, locale: "fr", content: email });
      throw new Error("the cause fails");
    }),
  ).rejects.toThrow("the cause fails");
  await runJobs();
  expect(smtp.received).toEqual([]);
  expect(await rowOf("welcome:2")).toBeUndefined();
});

test("the same cause twenty times at once, and again after sending, is one email", async () => {
  await Promise.all(
    Array.from({ length: 20 }, () =>
      database.transaction((transaction) =>
        queueMail(transaction, { cause: "welcome:3", to, locale: "fr", content: email }),
      ),
    ),
  );
  await runJobs();
  await write("welcome:3");
  await runJobs();
  expect(smtp.received).toHaveLength(1);
});

test("once the server has accepted an email its content is wiped, and its cause stays used", async () => {
  await write("reset:4");
  await runJobs();
  expect(await rowOf("reset:4")).toMatchObject({ recipient: null, subject: null, html: null, plainText: null });
  const { rows } = await database.execute(sql`select * from graphile_worker.jobs`);
  expect(rows).toEqual([]);
});

test("with the mail server down an email waits, and is sent once it is up", async () => {
  await smtp.down();
  await write("reset:5");
  expect(await runJobs({ mayFail: true })).toEqual([{ name: "mail:send", reason: "ESOCKET" }]);
  expect(await rowOf("reset:5")).toMatchObject({ sentAt: null, recipient: to });
  await smtp.up();
  await runJobs({ retries: true });
  expect(smtp.received.map((heard) => heard.envelope)).toEqual([[to]]);
});

test.each([
  ["a full server", { at: "letter", code: 452, text: "4.3.1 insufficient storage" }],
  ["greylisting", { at: "recipient", code: 451, text: "4.7.1 try later camille@exemple.fr" }],
  ["a relay that does not know us yet", { at: "recipient", code: 550, text: "5.7.1 relaying denied" }],
] as const)("an email deferred by %s is sent later", async (_, refusal) => {
  smtp.refuse(refusal);
  await write("reset:6");
  expect(await runJobs({ mayFail: true })).toHaveLength(1);
  smtp.refuse(undefined);
  await runJobs({ retries: true });
  expect((await rowOf("reset:6"))?.sentAt).toBeInstanceOf(Date);
});

test("every attempt at an email carries the same Message-ID, another email another", async () => {
  smtp.refuse({ at: "letter", code: 451, text: "4.3.0 not now" });
  await write("reset:7");
  await runJobs({ mayFail: true });
  smtp.refuse(undefined);
  await runJobs({ retries: true });
  await write("reset:8");
  await runJobs();
  const [first, second, other] = smtp.received.map((heard) => heard.messageId);
  expect(first).toMatch(/^<[\w-]{36}@cercle\.example>$/);
  expect(second).toBe(first);
  expect(other).not.toBe(first);
});

test("an email that was accepted but not yet recorded as sent is sent again with the same Message-ID", async () => {
  await write("reset:9");
  await database.execute(sql`
    create function cut_off() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$;
    create trigger cut_off before update of sent_at on mail for each row when (new.sent_at is not null)
    execute function cut_off()`);
  expect(await runJobs({ mayFail: true })).toHaveLength(1);
  await database.execute(sql`drop trigger cut_off on mail; drop function cut_off()`);
  await runJobs({ retries: true });
  expect(smtp.received).toHaveLength(2);
  expect(new Set(smtp.received.map((heard) => heard.messageId)).size).toBe(1);
  expect((await rowOf("reset:9"))?.sentAt).toBeInstanceOf(Date);
});

test("a mail server that accepts the connection and never responds delays an email by its timeout only", async () => {
  await smtp.down();
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => {
    silent.listen(smtp.port, "127.0.0.1", () => resolve());
  });
  await write("reset:10");
  const jobs = { ...product.jobs, ...mailJobs({ smtpUrl: `${smtp.url}?greetingTimeout=300`, from }) };
  const failed = await runDueJobs({ database, jobs, log: pino({ level: "silent" }) });
  expect(failed).toEqual([{ name: "mail:send", reason: "ETIMEDOUT" }]);
  await new Promise((resolve) => silent.close(resolve));
  await smtp.up();
  await runJobs({ retries: true });
  expect((await rowOf("reset:10"))?.sentAt).toBeInstanceOf(Date);
});

test("an email to an unknown mailbox is given up at once, and its content wiped", async () => {
  smtp.refuse({ at: "recipient", code: 550, text: "5.1.1 no such mailbox" });
  await write("reset:11");
  await runJobs();
  expect(await rowOf("reset:11")).toMatchObject({ sentAt: null, refusedAt: expect.any(Date), recipient: null });
});

test("line breaks in a subject stay in the subject", async () => {
  await write("reset:12", { subject: "Bonjour\r\nBcc: other@exemple.fr\r\n\r\n<b>\u2028x" });
  await runJobs();
  const [heard] = smtp.received;
  expect(heard?.subject).toBe("Bonjour Bcc: other@exemple.fr <b> x");
  expect(heard?.bcc).toBeUndefined();
  expect(heard?.envelope).toEqual([to]);
});

test.each([
  "camille@exemple.fr\r\nBcc: other@exemple.fr",
  "camille@exemple.fr, other@exemple.fr",
  "Camille <camille@exemple.fr>",
  "camille@exemple.fr> SIZE=1",
  "camille",
  "",
])("a recipient that is not one plain address is refused: %j", async (address) => {
  await expect(queueMail(database, { cause: "reset:13", to: address, locale: "fr", content: email })).rejects.toThrow();
  expect(await rowOf("reset:13")).toBeUndefined();
});

test("names and links are text in the email, never markup", async () => {
  await write("reset:14", {
    title: `</title></h1><script>alert("x")</script>`,
    paragraphs: [`Bonjour "Léa" <img src=x onerror='alert(1)'> & co`],
    action: { label: "Ouvrir", url: `https://cercle.example/?a="><script>` },
  });
  await runJobs();
  const html = smtp.received[0]?.html ?? "";
  expect(html).not.toMatch(/<script|<img/);
  expect(html).toContain("Bonjour &quot;Léa&quot; &lt;img src=x onerror=&#x27;alert(1)&#x27;&gt; &amp; co");
  expect(html).toContain('href="https://cercle.example/?a=&quot;&gt;&lt;script&gt;"');
  expect(smtp.received[0]?.text).toContain(`Bonjour "Léa" <img`);
});

test("erasing a customer erases their emails, and a farewell without a customer is still sent", async () => {
  const { rows } = await database.execute<{ id: string }>(
    sql`insert into customer (email, firstname, lastname) values (${to}, 'Camille', 'Laurent') returning id`,
  );
  const customerId = Number(rows[0]?.id);
  await queueMail(database, { cause: "welcome:15", customerId, to, locale: "fr", content: email });
  await database.transaction(async (transaction) => {
    await queueMail(transaction, { cause: "farewell:15", to, locale: "fr", content: { ...email, subject: "Adieu" } });
    await transaction.execute(sql`delete from customer where id = ${customerId}`);
  });
  await runJobs();
  expect(smtp.received.map((heard) => heard.subject)).toEqual(["Adieu"]);
  expect((await database.select({ left: count() }).from(mails))[0]?.left).toBe(1);
});

test("no address, subject or link is logged, whatever the mail server responds", async () => {
  const lines: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => lines.push(line) });
  smtp.refuse({ at: "recipient", code: 451, text: `4.7.1 <${to}> try later` });
  await write("reset:16");
  await runDueJobs({ database, jobs: product.jobs, log });
  const { rows } = await database.execute<{ last_error: string }>(sql`select last_error from graphile_worker.jobs`);
  expect(rows).toEqual([{ last_error: "EENVELOPE 451" }]);
  expect(lines.join("")).toContain("EENVELOPE 451");
  expect(lines.join("")).not.toMatch(/exemple|mot de passe|token/);
});

test("a password is not sent without encryption: the email waits", async () => {
  await write("tls:1");
  const jobs = mailJobs({ smtpUrl: smtp.url.replace("//", "//user:secret@"), from: "club@cercle.example" });
  const row = await rowOf("tls:1");
  await expect(jobs["mail:send"]?.({ mail: row?.id }, database)).rejects.toThrow("ETLS");
  expect(smtp.received).toEqual([]);
});
