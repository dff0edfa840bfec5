import { renderToStaticMarkup } from "react-dom/server";
import { textsOf } from "#brand/texts.server.ts";
import type { Locale } from "#i18n/locale.ts";
import type { TextId, Texts } from "#i18n/texts.ts";
import { readableExportFileName } from "#identity/paths.ts";

/** The fields that have words of their own; the others are named as in the JSON file. */
const words: Partial<Record<string, TextId>> = {
  Customer: "export.field.Customer",
  PreviousDetails: "export.field.PreviousDetails",
  Addresses: "export.field.Addresses",
  Sessions: "export.field.Sessions",
  PendingLinks: "export.field.PendingLinks",
  HeldEmails: "export.field.HeldEmails",
  SocialLogins: "export.field.SocialLogins",
  Passkeys: "export.field.Passkeys",
  Applications: "export.field.Applications",
  Consents: "export.field.Consents",
  Letters: "export.field.Letters",
  Loyalty: "export.field.Loyalty",
  Email: "export.field.Email",
  Firstname: "export.field.Firstname",
  Lastname: "export.field.Lastname",
  Civility: "export.field.Civility",
  Birthday: "export.field.Birthday",
  MobilePhone: "export.field.MobilePhone",
  LanguageIsoCode: "export.field.LanguageIsoCode",
  NewsletterSubscribe: "export.field.NewsletterSubscribe",
  NewsletterSmsSubscribe: "export.field.NewsletterSmsSubscribe",
  LoyaltySubscribe: "export.field.LoyaltySubscribe",
  CreatedAt: "export.field.CreatedAt",
  UpdatedAt: "export.field.UpdatedAt",
  LastSeenAt: "export.field.LastSeenAt",
  ExpiresAt: "export.field.ExpiresAt",
  Device: "export.field.Device",
  Network: "export.field.Network",
  Given: "export.field.Given",
  Subject: "export.field.Subject",
  Source: "export.field.Source",
  At: "export.field.At",
  Kind: "export.field.Kind",
  SentAt: "export.field.SentAt",
  account: "export.field.account",
  entries: "export.field.entries",
  vouchers: "export.field.vouchers",
  debts: "export.field.debts",
  pending: "export.field.pending",
  shops: "export.field.shops",
  sales: "export.field.sales",
  staff: "export.field.staff",
  office: "export.field.office",
  at: "export.field.at",
  kind: "export.field.kind",
  points: "export.field.points",
  balance: "export.field.balance",
  code: "export.field.code",
  expiresAt: "export.field.expiresAt",
  cardNumber: "export.field.cardNumber",
};

const styles = `body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c1a1e}
h1,h2,h3{font-weight:400}h2{margin-top:2.5rem;border-top:1px solid;padding-top:1rem}
table{border-collapse:collapse;font-size:.875rem}td,th{padding:.25rem .75rem .25rem 0;text-align:left;vertical-align:top;
border-bottom:1px solid #ddd}dl{display:grid;grid-template-columns:minmax(8rem,auto) 1fr;gap:.25rem 1.5rem}dd{margin:0;
overflow-wrap:anywhere}dt{color:#5d5860}.scroll{overflow-x:auto}`;

/** The export as a document to read: the same data as the JSON, in the customer's language. */
export function readableExport(data: { ExportedAt: string }, locale: Locale): Response {
  const texts = textsOf[locale];
  const { t, date, time } = texts;
  // Moments become text, as in the JSON.
  const { ExportedAt, ...parts } = JSON.parse(JSON.stringify(data)) as Record<string, unknown> & { ExportedAt: string };
  const html = renderToStaticMarkup(
    <html lang={locale}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{t("export.title")}</title>
        <style>{styles}</style>
      </head>
      <body>
        <h1>{t("export.title")}</h1>
        <p>{t("export.made", { date: date(ExportedAt), time: time(ExportedAt) })}</p>
        {Object.entries(parts).map(([name, value]) => (
          <section key={name}>
            <h2>{label(texts, name)}</h2>
            <Value value={value} texts={texts} />
          </section>
        ))}
      </body>
    </html>,
  );
  return new Response(`<!doctype html>${html}`, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "content-disposition": `attachment; filename="${readableExportFileName}"`,
      "content-language": locale,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

function label({ t }: Texts, name: string): string {
  const id = Object.hasOwn(words, name) ? words[name] : undefined;
  return id ? t(id) : name;
}

function Value({ value, texts }: { value: unknown; texts: Texts }) {
  if (Array.isArray(value)) return <List rows={value} texts={texts} />;
  if (typeof value !== "object" || value === null) return describe(value, texts);
  return (
    <dl>
      {Object.entries(value).map(([name, inner]) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{label(texts, name)}</dt>
          <dd>
            <Value value={inner} texts={texts} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function List({ rows, texts }: { rows: unknown[]; texts: Texts }) {
  if (rows.length === 0) return texts.t("export.none");
  const columns = [...new Set(rows.flatMap((row) => (row && typeof row === "object" ? Object.keys(row) : [])))];
  if (columns.length === 0) return rows.map((row) => describe(row, texts)).join(", ");
  return (
    <div className="scroll">
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {label(texts, name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to text: no row is ever moved or kept, and rows have no key of their own.
            <tr key={index}>
              {columns.map((name) => (
                <td key={name}>
                  <Value value={(row as Record<string, unknown>)[name] ?? null} texts={texts} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function describe(value: unknown, { t, date, time, number }: Texts): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return t(value ? "export.yes" : "export.no");
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : number(value);
  const text = String(value);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return date(text);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(text)) return `${date(text)}, ${time(text)}`;
  return text;
}
