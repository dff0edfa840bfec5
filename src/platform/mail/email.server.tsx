import type { CSSProperties } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { installedBrand, legalAddress } from "#brand/brand.server.ts";
import { mixed } from "#brand/contrast.ts";
import { textsOf } from "#brand/texts.server.ts";
import type { Typeface } from "#brand/theme.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { BarcodeTable, barcodeSheet } from "./barcode-table.server.tsx";

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
  /** The page for questions, for a customer. */
  helpUrl?: string;
}

/** The part of the help page about personal data. */
const dataFragment = "data";

/** Typefaces that mailboxes have in place of the product's own, which few of them load. */
const similar: Record<string, string> = {
  "Bodoni Moda": "Didot, 'Bodoni 72', 'Bodoni MT', Georgia",
  Jost: "Futura, 'Century Gothic', 'Helvetica Neue', Arial",
};
const stackOf = ({ Family, Generic }: Typeface) =>
  [`'${Family}'`, ...(similar[Family] ? [similar[Family]] : []), Generic].join(", ");

let made: ReturnType<typeof makeLook> | undefined;
/** The brand's look: mailboxes know no custom properties. */
function look() {
  made ??= makeLook();
  return made;
}

function makeLook() {
  const { theme } = installedBrand();
  const { Ink: ink, Soft: soft, Paper: paper, Line: line, Accent: accent, OnAccent: onAccent } = theme.Colours;
  const linen = theme.colours["linen"] ?? paper;
  /** Behind everything where the email is dark. */
  const night = mixed(ink, 0.5, "#0b0a0c");
  const display = stackOf(theme.Typefaces.Display);
  const plain = stackOf(theme.Typefaces.Text);
  const borderRadius = { square: 0, rounded: theme.Radius, pill: "99px" }[theme.ButtonShape];
  // Styles that no attribute can express. Without quotes and angle brackets, which React would escape.
  const sheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
a.button:hover { text-decoration: underline !important; }
@media (max-width: 632px) {
  .band { width: calc(100vw - 32px) !important; }
}
@media (max-width: 480px) {
  .band { width: 100vw !important; }
  .margin { padding: 0 !important; }
  .inner { padding-left: 24px !important; padding-right: 24px !important; }
  .title { font-size: 30px !important; }
  .code { font-size: 26px !important; letter-spacing: 0.1em !important; }
  .wide { padding-left: 8px !important; padding-right: 8px !important; }
  .button { display: block !important; text-align: center !important; }
}
${barcodeSheet}
@media (prefers-color-scheme: dark) {
  .page { background-color: ${night} !important; }
  .sheet { background-color: ${mixed(paper, 0.06, night)} !important; }
  .ink { color: ${linen} !important; }
  .soft { color: ${mixed(paper, 0.7, night)} !important; }
  .line { border-color: ${mixed(paper, 0.2, night)} !important; }
  .label { background-color: #ffffff !important; }
  .button { background-color: ${linen} !important; color: ${night} !important; border-color: ${linen} !important; }
}
`;
  const hidden: CSSProperties = {
    display: "none",
    maxHeight: 0,
    maxWidth: 0,
    overflow: "hidden",
    opacity: 0,
    fontSize: "1px",
    lineHeight: "1px",
    color: linen,
  };
  const text: CSSProperties = {
    margin: "0 0 16px",
    fontFamily: plain,
    fontSize: "16px",
    lineHeight: "26px",
    color: ink,
  };
  const codeLine: CSSProperties = {
    margin: "24px 0 16px",
    fontFamily: "ui-monospace, Menlo, Consolas, 'Courier New', monospace",
    fontSize: "34px",
    lineHeight: "44px",
    letterSpacing: "0.16em",
    color: ink,
  };
  const actionLink: CSSProperties = {
    display: "inline-block",
    padding: "15px 32px",
    border: `1px solid ${accent}`,
    borderRadius,
    backgroundColor: accent,
    color: onAccent,
    fontFamily: plain,
    fontSize: "15px",
    lineHeight: "22px",
    letterSpacing: "0.04em",
    textDecoration: "none",
  };

  const small: CSSProperties = { ...text, margin: 0, fontSize: "14px", lineHeight: "22px", color: soft };
  return {
    ink,
    soft,
    paper,
    line,
    linen,
    display,
    plain,
    sheet,
    hidden,
    text,
    codeLine,
    actionLink,
    small,
    spacing: theme,
  };
}

/** Mailboxes fill the preview with what follows the preheader, unless blanks follow. */
const blanks = "\u00a0\u200c".repeat(80);

/** In pixels. On a phone the picture is cropped at its sides, or narrowed by programs that cannot crop. */
const clothHeight = 120;

/** Old mail programs support little more than tables and attributes: one column made of them. */
function EmailLayout({ email, locale }: { email: EmailContent; locale: Locale }) {
  const { ink, paper, line, linen, display, sheet, hidden, text, codeLine, actionLink, small, spacing } = look();
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
  const { soft, small } = look();
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
  { title, paragraphs, list, code, action, footnote, helpUrl }: EmailContent,
  locale: Locale,
): string {
  const { t } = textsOf[locale];
  const parts = [t("wordmark"), title, ...paragraphs];
  if (list) parts.push(list.map((item) => `- ${item}`).join("\n"));
  if (code) parts.push(code);
  if (action) parts.push(`${action.label}\n${action.url}`);
  const end = [
    footnote,
    helpUrl &&
      [
        ...[t("mail.footer.who"), t("mail.footer.help"), helpUrl],
        ...legalLinks(locale, helpUrl).flatMap(({ label, url }) => [label, url]),
      ].join("\n"),
  ].filter(Boolean);
  if (end.length > 0) parts.push(`-- \n${end.join("\n\n")}`);
  return `${parts.join("\n\n")}\n`;
}
