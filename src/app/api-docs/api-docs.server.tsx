import { createHash } from "node:crypto";
import { Hono } from "hono";
import { type ComponentProps, Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { installedBrand } from "#brand/brand.server.ts";
import { textsOf } from "#brand/texts.server.ts";
import { answerPreviousDetails, removeApplication, withdrawNewsletter } from "#identity/calls.ts";
import { reportMissing } from "#loyalty/calls.ts";
import type { Contract, Endpoint } from "#platform/api/endpoint.server.ts";
import { jsonOf, openApi } from "#platform/api/openapi.server.ts";
import type { RequestEnv } from "#platform/api/requests.server.ts";
import { compressedOnce } from "#platform/compress.server.ts";
import { fieldCodes, type RefusalCode, refusals } from "#platform/refusal.ts";
import { Answer } from "./api-answer.server.tsx";
import { exampleOf, needsAuthenticator, opening } from "./api-examples.server.ts";

/** The contract as OpenAPI and as a page. Both are large and never change. */
export function apiDescription(contracts: readonly Contract[], publicUrl: string): Hono<RequestEnv> {
  const json = compressedOnce(() => JSON.stringify(openApi(contracts, publicUrl)));
  const page = compressedOnce(() => apiDocs(contracts, publicUrl));
  const app = new Hono<RequestEnv>();
  app.get("/openapi.json", async (c) =>
    c.body(await json(c), 200, { "content-type": "application/json; charset=UTF-8" }),
  );
  app.get("/docs", async (c) =>
    c.body(await page(c), 200, { "content-type": "text/html; charset=UTF-8", "content-security-policy": policy }),
  );
  return app;
}

/** The contract as a page for a partner's engineers, made from the same objects that validate. */
function apiDocs(contracts: readonly Contract[], publicUrl: string): string {
  const calls = contracts.flatMap((contract) => Object.entries(contract));
  const groups = [
    {
      title: "For customers",
      calls: calls.filter(([line, endpoint]) => !needsKey(endpoint) && !ofTill(line) && !ofOffice(line)),
    },
    { title: "For shops and their tills", calls: calls.filter(([, endpoint]) => needsKey(endpoint)) },
    { title: "Till", calls: calls.filter(([line]) => ofTill(line)) },
    { title: "Back office", calls: calls.filter(([line]) => ofOffice(line)) },
  ];
  const { t } = textsOf.en;
  return `<!DOCTYPE html>${renderToStaticMarkup(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${installedBrand().Name} API`}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <style>{style}</style>
      </head>
      <body>
        <header>
          <p className="brand">{installedBrand().Name.toUpperCase()}</p>
          <h1>The API</h1>
          <p>
            Base <code>{publicUrl}/api/</code>. Bodies are form data, an encoded form or a flat JSON object. Every
            success is 200 with JSON; every refusal is <code>application/problem+json</code>, in the language of{" "}
            <code>LanguageIsoCode</code> or <code>Accept-Language</code>. A call marked <em>signed in</em> needs{" "}
            <code>Authorization: Bearer …</code>, and may say whom it is made for: with <code>ForCustomer</code> (an
            IdCustomer) it is refused with <code>other_customer</code> when somebody else is signed in. A browser may
            send the cookie <code>auth.token</code> instead; what changes something must then come from our own pages,
            or it is refused with <code>cross_site</code>. An <code>Idempotency-Key</code> gives the same answer again
            after a success; a refused call keeps nothing, and may be corrected and sent again under the same key. The
            same as data: <a href="/api/openapi.json">openapi.json</a>.
          </p>
          <p>
            A call for shops needs a key, <code>Authorization: Bearer cercle_…</code>, with the scope it names. A shop
            and its receipt number stand for one sale or return for good: the same content again gets the same answer,
            other content <code>receipt_known</code>; an <code>Idempotency-Key</code> is ignored there.
          </p>
          <p>
            A call of the till's own screen needs two cookies instead: <code>till.device</code>, from{" "}
            <code>till/pair</code>, and <code>till.staff</code>, from <code>till/sign-in</code>. They open nothing else,
            and no key opens these calls. What changes something must come from our own pages (<code>Origin</code>).
          </p>
          <p>
            A call of the back office needs the cookie <code>staff.token</code>, which opens nothing else, and one of
            the roles that it names.
          </p>
          <p>The examples go into a shell as they stand, after these lines, which make somebody to try them with:</p>
          <pre>{opening(publicUrl)}</pre>
        </header>
        <nav aria-label="Calls">
          {groups.map(({ title, calls }) => (
            <div key={title}>
              <p>{title}</p>
              <ul>
                {calls.map(([line]) => (
                  <li key={line}>
                    <a href={`#${anchor(line)}`}>{line}</a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <main>
          {groups.map(({ title, calls }) => (
            <Fragment key={title}>
              <h2>{title}</h2>
              {calls.map(([line, endpoint]) => (
                <Call key={line} line={line} endpoint={endpoint} publicUrl={publicUrl} />
              ))}
            </Fragment>
          ))}
          <section>
            <h2 id="refusals">Refusals</h2>
            <table>
              <tbody>
                {Object.entries(refusals).map(([code, status]) => (
                  <tr key={code} id={code}>
                    <th scope="row">
                      <code>{code}</code>
                    </th>
                    <td>{status}</td>
                    <td>{t(`refusal.${code as RefusalCode}`)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <p>
              A field is refused with one of these. Inside of a field that is JSON the first place that is wrong is
              named, counted from 0: <code>Lines.2.Amount</code>.
            </p>
            <table>
              <tbody>
                {fieldCodes.map((code) => (
                  <tr key={code}>
                    <th scope="row">
                      <code>{code}</code>
                    </th>
                    <td>{t(`field.${code}`)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </main>
      </body>
    </html>,
  )}`;
}

const ofTill = (line: string) => line.split(" ")[1]?.startsWith("till/") ?? false;
const ofOffice = (line: string) => line.split(" ")[1]?.startsWith("office/") ?? false;

const needsKey = ({ access }: Endpoint) => access === "key" || access === "unchecked key";

function whoMay(endpoint: Endpoint): string {
  if (endpoint.access === "customer") return "Signed in.";
  if (endpoint.access === "till") return "A paired till.";
  if (endpoint.access === "till staff") return "Somebody signed in on a paired till.";
  if (endpoint.access === "staff")
    return `Staff: ${endpoint.roles?.join(", ")}.${endpoint.fresh ? " With a fresh proof." : ""}`;
  if (!needsKey(endpoint)) return "Anyone.";
  return endpoint.scopes ? `A key with the scope ${endpoint.scopes.join(", ")}.` : "A key with the scope of each item.";
}

const anchor = (line: string) => line.toLowerCase().replace(/[^a-z0-9]+/g, "-");

function Call({ line, endpoint, publicUrl }: { line: string; endpoint: Endpoint; publicUrl: string }) {
  const input = jsonOf(endpoint.input, "input");
  const fields = Object.entries(input.properties ?? {}) as [string, { description?: string; pattern?: string }][];
  const required = new Set(input.required);
  const response = jsonOf(endpoint.response, "output");
  return (
    <section>
      <h2 id={anchor(line)}>{line}</h2>
      <p>
        {endpoint.summary} <em>{whoMay(endpoint)}</em>
        {endpoint.idempotent && " Takes an Idempotency-Key."}
      </p>
      {fields.length > 0 && (
        <table>
          <tbody>
            {fields.map(([name, schema]) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>{required.has(name) ? "required" : "optional"}</td>
                <td>{schema.description}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {needsAuthenticator.has(line) ? (
        <p>Needs an authenticator, or a passkey that one has made: a browser calls it.</p>
      ) : line === removeApplication ? (
        <p>Needs a web shop or an app that the customer has allowed: the account's page calls it.</p>
      ) : line === withdrawNewsletter ? (
        <p>Needs the link of an offer that was sent by email: mail programs and the page of the link call it.</p>
      ) : line === answerPreviousDetails ? (
        <p>Needs an account that was reset before its address was confirmed: the page after the reset calls it.</p>
      ) : line === reportMissing ? (
        <p>Needs a customer whose club has moved here: the member page calls it.</p>
      ) : ofOffice(line) ? (
        <p>Needs somebody of the staff with a passkey or a code: a page of the back office calls it.</p>
      ) : (
        <pre>{exampleOf(line, endpoint, [...required], publicUrl)}</pre>
      )}
      <Answer schema={response as ComponentProps<typeof Answer>["schema"]} />
      {endpoint.refusals.length > 0 && (
        <p>
          May refuse with <code>{endpoint.refusals.join(", ")}</code>
        </p>
      )}
    </section>
  );
}

const style = `
:root { font: 16px/1.55 Jost, "Helvetica Neue", Arial, sans-serif; color: #0b0a0c; background: #fff }
body { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem 6rem }
.brand { font-family: "Bodoni Moda", Didot, Georgia, serif; letter-spacing: .28em; font-size: 1.4rem }
h1 { font: 400 3rem/1.04 "Bodoni Moda", Didot, Georgia, serif; margin: 2rem 0 1rem }
h2 { font-size: 1.05rem; font-weight: 500; margin: 0 0 .5rem; overflow-wrap: anywhere }
section { border-top: 1px solid #e5e0d7; padding: 1.75rem 0 }
nav ul { columns: 18rem; padding: 0; list-style: none; font-size: .875rem; margin: 2rem 0 }
a { color: inherit; text-underline-offset: 3px }
nav a { display: block; padding: .2rem 0; break-inside: avoid }
code, pre { font: .8125rem/1.5 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere }
pre { background: #f7f5f1; padding: 1rem; white-space: pre-wrap }
table { border-collapse: collapse; width: 100%; font-size: .875rem; margin: .75rem 0 }
th, td { text-align: left; font-weight: 400; border-bottom: 1px solid #e5e0d7; padding: .35rem 1rem .35rem 0; vertical-align: top }
@media (max-width: 40rem) {
  tr { display: flex; flex-wrap: wrap; gap: 0 1rem; border-bottom: 1px solid #e5e0d7; padding: .35rem 0 }
  th, td { border: 0; padding: 0 }
  th { flex-basis: 100% }
}
`;

/** The style sheet is allowed by its hash: a nonce would make every response different. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
