import type { CSSProperties } from "react";
import { installedBrand } from "#brand/brand.server.ts";
import { mixed } from "#brand/contrast.ts";
import type { Typeface } from "#brand/theme.server.ts";
import { barcodeSheet } from "./barcode-table.server.tsx";

/** Typefaces that mailboxes have in place of the product's own, which few of them load. */
const similar: Record<string, string> = {
  "Bodoni Moda": "Didot, 'Bodoni 72', 'Bodoni MT', Georgia",
  Jost: "Futura, 'Century Gothic', 'Helvetica Neue', Arial",
};
const stackOf = ({ Family, Generic }: Typeface) =>
  [`'${Family}'`, ...(similar[Family] ? [similar[Family]] : []), Generic].join(", ");

let made: ReturnType<typeof makeLook> | undefined;
/** Colours, typefaces and styles of the brand, as attributes: mailboxes know no custom properties. */
export function emailLook() {
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
