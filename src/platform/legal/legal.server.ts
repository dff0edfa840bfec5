import { Marked } from "marked";
import { z } from "zod";
import { installedBrand } from "#brand/brand.server.ts";
import { filledPage, type RetentionPeriods } from "#brand/legal-pages.server.ts";
import type { Locale } from "#i18n/locale.ts";
import { apiModule } from "#platform/api/api-module.server.ts";
import { endpoint, fieldTypes, localeFields } from "#platform/api/endpoint.server.ts";
import { Refusal } from "#platform/refusal.ts";
import { readLegalPage } from "./calls.ts";

const contract = {
  [readLegalPage]: endpoint({
    summary: "A legal page of the brand, as HTML.",
    access: "anyone",
    input: z.object({
      Name: fieldTypes.text(40).describe("terms, privacy, imprint or accessibility"),
      ...localeFields,
    }),
    response: z.object({ Title: z.string(), Html: z.string() }),
    refusals: ["not_found"],
  }),
};

declare module "#platform/api/api.ts" {
  interface Api extends LegalContract {}
}
type LegalContract = typeof contract;

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Markdown without HTML and pictures; links lead to pages of ours, to https, or to a mail program. */
const markdown = new Marked({
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ text }) => escaped(text),
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens);
      return /^(https:|mailto:|tel:|\/(?!\/)|#)/.test(href) ? `<a href="${escaped(href)}">${words}</a>` : words;
    },
    // A table may be wider than a phone; it can be scrolled by keys too.
    table(token) {
      const row = (cells: typeof token.header, tag: string) =>
        `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("")}</tr>`;
      const body = token.rows.map((cells) => row(cells, "td")).join("");
      return `<div class="scroll" tabindex="0" role="group"><table class="data-table"><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>`;
    },
  },
});

export function legalModule(periods: RetentionPeriods) {
  const made = new Map<string, { Title: string; Html: string }>();
  function pageOf(name: string, locale: Locale) {
    const brand = installedBrand();
    const language = brand.Languages.includes(locale) ? locale : brand.DefaultLanguage;
    const text = Object.hasOwn(brand.legal[language] ?? {}, name) ? brand.legal[language]?.[name] : undefined;
    if (text === undefined) throw new Refusal("not_found");
    const key = `${language} ${name}`;
    const known = made.get(key);
    if (known) return known;
    const [title = "", ...rest] = filledPage(text, language, brand, periods).split("\n");
    const page = { Title: title.replace(/^# /, ""), Html: markdown.parse(rest.join("\n"), { async: false }) };
    made.set(key, page);
    return page;
  }
  return apiModule(contract, {
    async [readLegalPage]({ input, locale }) {
      return pageOf(input.Name, locale);
    },
  });
}
