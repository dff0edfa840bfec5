import { and, desc, eq, isNotNull } from "drizzle-orm";
import { Hono } from "hono";
import { textsOf } from "#brand/texts.server.ts";
import { clubDay, clubTimeZone, tagOf } from "#i18n/club-day.ts";
import type { Locale } from "#i18n/locale.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { mails } from "#platform/mail/mail.tables.server.ts";
import { renderPage, visitorLocale } from "./frame.server.tsx";

const mostShown = 50;
const mailboxPath = "/sandbox/mailbox";
const urlPattern = /https?:\/\/\S+/g;

/** An email has inline styles; it may run or send nothing, and only pages of this origin may frame it. */
const emailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

interface Delivered {
  id: number;
  locale: Locale;
  to: string;
  subject: string;
  html: string;
  text: string;
  sentAt: Date;
}

async function readDelivered(database: Database, only: { to?: string; id?: number } = {}): Promise<Delivered[]> {
  const wanted = and(
    isNotNull(mails.sentAt),
    isNotNull(mails.recipient),
    only.to === undefined ? undefined : eq(mails.recipient, only.to),
    only.id === undefined ? undefined : eq(mails.id, only.id),
  );
  const rows = await database
    .select()
    .from(mails)
    .where(wanted)
    .orderBy(desc(mails.sentAt), desc(mails.id))
    .limit(mostShown);
  return rows.map((row) => ({
    id: row.id,
    locale: row.locale,
    to: row.recipient ?? "",
    subject: row.subject ?? "",
    html: row.html ?? "",
    text: row.plainText ?? "",
    sentAt: row.sentAt ?? row.queuedAt,
  }));
}

/** Stands in for every customer's mailbox: without a mail server, emails are delivered here. */
export function mailbox(deps: {
  database: Database;
  styles: readonly string[];
  mailLeaves: boolean;
}): Hono<RequestEnv> {
  const { database } = deps;
  const app = new Hono<RequestEnv>();

  app.get("/mailbox", async (c) => {
    c.set("route", "sandbox mailbox");
    const locale = visitorLocale(c);
    const emails = await readDelivered(database);
    const wanted = parseId(c.req.query("letter"));
    const open = emails.find((email) => email.id === wanted) ?? emails[0];
    const title = textsOf[locale].t("sandbox.mailbox.title");
    return renderPage(c, {
      locale,
      title,
      styles: deps.styles,
      children: open ? (
        <main className={wanted === open.id ? "mailbox reading" : "mailbox"}>
          <EmailList emails={emails} open={open} locale={locale} />
          <OpenEmail email={open} locale={locale} asText={c.req.query("form") === "text"} />
        </main>
      ) : (
        <EmptyMailbox locale={locale} mailLeaves={deps.mailLeaves} />
      ),
    });
  });

  app.get("/mailbox.json", async (c) => {
    c.set("route", "sandbox mailbox.json");
    const to = c.req.query("to")?.trim().toLowerCase();
    const emails = await readDelivered(database, to ? { to } : {});
    c.header("cache-control", "no-store");
    return c.json({
      letters: emails.map(({ id, to, locale, subject, text, sentAt }) => ({
        id,
        to,
        locale,
        subject,
        sentAt,
        links: text.match(urlPattern) ?? [],
        text,
      })),
    });
  });

  app.get("/mailbox/:id", async (c, next) => {
    const id = parseId(c.req.param("id"));
    const [email] = id === undefined ? [] : await readDelivered(database, { id });
    if (!email) return next();
    c.set("route", "sandbox letter");
    c.header("content-security-policy", emailPolicy);
    c.header("cache-control", "no-store");
    // Its links open in the top window, not inside the frame.
    return c.html(email.html.replace("<head>", '<head><base target="_top">'));
  });

  return app;
}

function parseId(text: string | undefined): number | undefined {
  return text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

function EmailList({ emails, open, locale }: { emails: Delivered[]; open: Delivered; locale: Locale }) {
  const { t } = textsOf[locale];
  return (
    <nav className="letters" aria-label={t("sandbox.mailbox.letters")}>
      <header>
        <p className="kicker">{t("sandbox.frame.kicker")}</p>
        <h1>{t("sandbox.mailbox.title")}</h1>
        <div>
          <span className="quiet">{t("sandbox.mailbox.count", { count: emails.length })}</span>
          <a className="link" href={mailboxPath}>
            {t("sandbox.mailbox.refresh")}
          </a>
        </div>
      </header>
      <ol>
        {emails.map((email) => (
          <li key={email.id}>
            <a
              className="row"
              href={`${mailboxPath}?letter=${email.id}`}
              aria-current={email.id === open.id ? "page" : undefined}
            >
              <strong lang={email.locale}>{email.subject}</strong>
              <time dateTime={email.sentAt.toISOString()}>{formatSentAt(email.sentAt, locale)}</time>
              <span>{email.to}</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function OpenEmail({ email, locale, asText }: { email: Delivered; locale: Locale; asText: boolean }) {
  const { t } = textsOf[locale];
  const here = `${mailboxPath}?letter=${email.id}`;
  return (
    <article className="letter">
      <header>
        <a className="link back" href={mailboxPath}>
          {`← ${t("sandbox.mailbox.back")}`}
        </a>
        <div>
          <h2 lang={email.locale}>{email.subject}</h2>
          <p className="quiet addressed">
            {t("sandbox.mailbox.to", { address: email.to })}
            {" · "}
            <time dateTime={email.sentAt.toISOString()}>{formatSentAt(email.sentAt, locale, true)}</time>
          </p>
        </div>
        <a className="link" href={asText ? here : `${here}&form=text`}>
          {asText ? t("sandbox.mailbox.as_letter") : t("sandbox.mailbox.as_text")}
        </a>
      </header>
      {asText ? (
        <pre lang={email.locale}>
          {[...email.text.matchAll(/(https?:\/\/\S+)|.+?(?=https?:\/\/|$)/gs)].map(({ 0: part, 1: address, index }) =>
            address ? (
              <a key={index} href={address}>
                {address}
              </a>
            ) : (
              part
            ),
          )}
        </pre>
      ) : (
        <iframe
          src={`${mailboxPath}/${email.id}`}
          title={email.subject}
          sandbox="allow-top-navigation-by-user-activation"
        />
      )}
    </article>
  );
}

function EmptyMailbox({ locale, mailLeaves }: { locale: Locale; mailLeaves: boolean }) {
  const { t } = textsOf[locale];
  return (
    <main className="alone">
      <p className="kicker">{`${t("sandbox.frame.kicker")} · ${t("sandbox.mailbox.title")}`}</p>
      <h1>{t("sandbox.mailbox.empty")}</h1>
      <p>{mailLeaves ? t("sandbox.mailbox.elsewhere") : t("sandbox.mailbox.hint")}</p>
      <a className="button" href={mailboxPath}>
        {t("sandbox.mailbox.refresh")}
      </a>
    </main>
  );
}

/** The time of today's emails, the day of older ones; date and time beside the open email. */
function formatSentAt(sentAt: Date, locale: Locale, full = false): string {
  const today = clubDay(sentAt) === clubDay();
  return new Intl.DateTimeFormat(tagOf(locale), {
    timeZone: clubTimeZone(),
    ...(full && { year: "numeric", month: "long", day: "numeric" }),
    ...(!full && !today && { month: "short", day: "numeric" }),
    ...((full || today) && { hour: "2-digit", minute: "2-digit" }),
  }).format(sentAt);
}
