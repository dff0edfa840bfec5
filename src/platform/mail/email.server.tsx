import { renderToStaticMarkup } from "react-dom/server";
import { legalAddress } from "#brand/brand.server.ts";
import { pictureAddress } from "#brand/pictures.ts";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { BarcodeTable } from "./barcode-table.server.tsx";
import { emailLook } from "./email-look.server.ts";

/** The content of an email, in the recipient's language. */
export interface EmailContent {
  subject: string;
  /** The line a mailbox shows beside the subject. */
  preheader: string;
  /** A band of cloth above the title: the same file for everybody. Its colour is there also while pictures are kept back. */
  cloth?: { url?: string; colour: string };
  title: string;
  paragraphs: string[];
  list?: string[];
  /** Something to read and type, set large. */
  code?: string;
  /** The code as a barcode: widths of bars and gaps in turn, a bar first. */
  bars?: readonly number[];
  action?: { label: string; url: string };
  footnote?: string;
  /** Of an offer: the page that ends them, to which mail programs can post without opening it. */
  unsubscribe?: { label: string; url: string };
  /** The page for questions, for a customer. */
  helpUrl?: string;
}

/** The part of the help page about personal data. */
const dataFragment = "data";

/** Mailboxes fill the preview with what follows the preheader, unless blanks follow. */
const blanks = "\u00a0\u200c".repeat(80);

/** In pixels. On a phone the picture is cropped at its sides, or narrowed by programs that cannot crop. */
const clothHeight = 120;

/** The brand's logo as a picture, below the address that the email links to; none where the name is set in letters. */
function headerOf({ helpUrl, action }: EmailContent, locale: Locale): string | undefined {
  const picture = pictureAddress(textsOf[locale].formats, "header");
  const link = helpUrl ?? action?.url;
  return picture && link && URL.canParse(link) ? new URL(`${picture}.png`, link).href : undefined;
}

/** Old mail programs support little more than tables and attributes: one column made of them. */
function EmailLayout({ email, locale }: { email: EmailContent; locale: Locale }) {
  const { ink, paper, line, linen, soft, display, sheet, hidden, text, codeLine, actionLink, small, spacing } =
    emailLook();
  const header = headerOf(email, locale);
  const table = { role: "presentation", width: "100%", border: 0, cellPadding: 0, cellSpacing: 0 } as const;
  return (
    <html lang={locale} dir="ltr">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />
        <title>{email.subject}</title>
        <style>{sheet}</style>
      </head>
      <body className="page" style={{ margin: 0, padding: 0, backgroundColor: linen }}>
        <div style={hidden} aria-hidden="true">
          {email.preheader}
          {blanks}
        </div>
        <table {...table} className="page" style={{ backgroundColor: linen }}>
          <tbody>
            <tr>
              <td className="margin" align="center" style={{ padding: "40px 16px" }}>
                <table {...table} className="sheet" style={{ maxWidth: "600px", backgroundColor: paper }}>
                  <tbody>
                    <tr>
                      <td
                        className="inner line"
                        align="center"
                        style={{ padding: "32px 48px", borderBottom: `1px solid ${line}` }}
                      >
                        {header ? (
                          <img
                            src={header}
                            alt={textsOf[locale].t("brand")}
                            width="240"
                            height="40"
                            style={{ border: 0 }}
                          />
                        ) : (
                          <span
                            className="ink"
                            style={{
                              // Letter spacing adds a gap after the last letter, which would shift the word off centre.
                              paddingLeft: spacing.WordmarkSpacing,
                              fontFamily: display,
                              fontSize: "26px",
                              lineHeight: "32px",
                              letterSpacing: spacing.WordmarkSpacing,
                              color: ink,
                            }}
                          >
                            {textsOf[locale].t("wordmark")}
                          </span>
                        )}
                      </td>
                    </tr>
                    {email.cloth && (
                      <tr>
                        <td
                          height={clothHeight}
                          style={{ padding: 0, fontSize: 0, lineHeight: 0, backgroundColor: email.cloth.colour }}
                        >
                          {email.cloth.url && (
                            <img
                              className="band"
                              src={email.cloth.url}
                              alt=""
                              width="600"
                              height={clothHeight}
                              style={{
                                display: "block",
                                width: "100%",
                                height: clothHeight,
                                objectFit: "cover",
                                border: 0,
                              }}
                            />
                          )}
                        </td>
                      </tr>
                    )}
                    <tr>
                      <td className="inner" align="left" style={{ padding: "48px 48px 0" }}>
                        <h1
                          className="ink title"
                          style={{
                            margin: "0 0 24px",
                            fontFamily: display,
                            fontWeight: 400,
                            fontSize: "36px",
                            lineHeight: "1.1",
                            letterSpacing: "-0.01em",
                            textWrap: "balance",
                            color: ink,
                          }}
                        >
                          {email.title}
                        </h1>
                        {email.paragraphs.map((paragraph) => (
                          <p key={paragraph} className="ink" style={text}>
                            {paragraph}
                          </p>
                        ))}
                        {email.list && (
                          <ul style={{ margin: "0 0 16px", padding: "0 0 0 20px" }}>
                            {email.list.map((item) => (
                              <li key={item} className="ink" style={{ ...text, margin: "0 0 6px" }}>
                                {item}
                              </li>
                            ))}
                          </ul>
                        )}
                        {email.code && !email.bars && (
                          <p className="ink code" style={codeLine}>
                            {email.code}
                          </p>
                        )}
                      </td>
                    </tr>
                    {email.bars && (
                      <tr>
                        <td className="wide" align="center" style={{ padding: "0 48px 16px" }}>
                          <BarcodeTable bars={email.bars}>
                            <p className="code" style={{ ...codeLine, margin: "8px 0 0" }}>
                              {email.code}
                            </p>
                          </BarcodeTable>
                        </td>
                      </tr>
                    )}
                    <tr>
                      <td className="inner" align="left" style={{ padding: "0 48px 32px" }}>
                        {email.action && (
                          <p style={{ margin: "16px 0" }}>
                            <a className="button" href={email.action.url} style={actionLink}>
                              {email.action.label}
                            </a>
                          </p>
                        )}
                      </td>
                    </tr>
                    {email.footnote && (
                      <tr>
                        <td className="inner" align="left" style={{ padding: "0 48px 40px" }}>
                          <p
                            className="soft line"
                            style={{ ...small, paddingTop: "24px", borderTop: `1px solid ${line}` }}
                          >
                            {email.footnote}
                            {email.unsubscribe && (
                              <>
                                {" "}
                                <a className="soft" href={email.unsubscribe.url} style={{ color: soft }}>
                                  {email.unsubscribe.label}
                                </a>
                              </>
                            )}
                          </p>
                        </td>
                      </tr>
                    )}
                  </tbody>
                </table>
                {email.helpUrl && <Footer helpUrl={email.helpUrl} locale={locale} />}
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  );
}

/** Who writes, why, and where to ask. */
function Footer({ helpUrl, locale }: { helpUrl: string; locale: Locale }) {
  const { t } = textsOf[locale];
  const { soft, small } = emailLook();
  return (
    <div style={{ maxWidth: "600px", padding: "24px 24px 0" }}>
      <p className="soft" style={small}>
        {t("mail.footer.who")}
      </p>
      <p className="soft" style={{ ...small, paddingBottom: "24px" }}>
        <a className="soft" href={helpUrl} style={{ color: soft }}>
          {t("mail.footer.help")}
        </a>
        {" · "}
        <a className="soft" href={`${helpUrl}#${dataFragment}`} style={{ color: soft }}>
          {t("mail.footer.data")}
        </a>
        {legalLinks(locale, helpUrl).map(({ label, url }) => (
          <span key={url}>
            {" · "}
            <a className="soft" href={url} style={{ color: soft }}>
              {label}
            </a>
          </span>
        ))}
      </p>
    </div>
  );
}

/** Links to the legal pages that the brand's folder has. */
function legalLinks(locale: Locale, helpUrl: string) {
  const { t } = textsOf[locale];
  const pages = [
    { label: t("shell.privacy"), path: legalAddress("Privacy", locale) },
    { label: t("shell.legal"), path: legalAddress("Imprint", locale) },
  ];
  return pages.flatMap(({ label, path }) => (path ? [{ label, url: new URL(path, helpUrl).href }] : []));
}

export function emailHtml(email: EmailContent, locale: Locale): string {
  return `<!DOCTYPE html>${renderToStaticMarkup(<EmailLayout email={email} locale={locale} />)}`;
}

/** The same email for readers of plain text, its link in full. */
export function emailText(
  { title, paragraphs, list, code, action, footnote, unsubscribe, helpUrl }: EmailContent,
  locale: Locale,
): string {
  const { t } = textsOf[locale];
  const parts = [t("wordmark"), title, ...paragraphs];
  if (list) parts.push(list.map((item) => `- ${item}`).join("\n"));
  if (code) parts.push(code);
  if (action) parts.push(`${action.label}\n${action.url}`);
  const end = [
    footnote,
    unsubscribe && `${unsubscribe.label}\n${unsubscribe.url}`,
    helpUrl &&
      [
        ...[t("mail.footer.who"), t("mail.footer.help"), helpUrl],
        ...legalLinks(locale, helpUrl).flatMap(({ label, url }) => [label, url]),
      ].join("\n"),
  ].filter(Boolean);
  if (end.length > 0) parts.push(`-- \n${end.join("\n\n")}`);
  return `${parts.join("\n\n")}\n`;
}
