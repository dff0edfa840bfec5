import "#pages/styles.ts";
import { StrictMode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { createMemoryRouter, type RouteObject } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { page } from "vitest/browser";
import { brandWords } from "#brand/brand-words.ts";
import { provideUnits } from "#i18n/club-day.ts";
import { formatsOf } from "#i18n/formats.ts";
import { type Locale, localeOfHeader, localePath } from "#i18n/locale.ts";
import { type Catalogue, createTexts, type TextId, type Texts, type Values } from "#i18n/texts.ts";
import { TextsProvider } from "#i18n/use-texts.tsx";
import { marketingAge } from "#identity/customer/age.ts";
import { passwordLength } from "#identity/fields/password-rule.ts";
import type { Customer } from "#identity/session/browser/session.ts";
import type { EndpointName, ResponseBody } from "#platform/api/api.ts";
import { shouldRevalidate } from "#platform/api/client/form.ts";
import { type FieldError, type Problem, type RefusalCode, refusals } from "#platform/refusal.ts";
import brand from "../../../brand/brand.json";
import de from "../../../messages/de.json";
import en from "../../../messages/en.json";
import fr from "../../../messages/fr.json";

/*
 * For component tests in a browser: a page in a router of its own, with the product's own client. Only `fetch` is
 * replaced, so everything between a key press and the request is the real code.
 */

/** The build compiles the files; TypeScript sees them as they are written. */
const compiled = (catalogue: unknown) => catalogue as Catalogue;
const { Country: country, Currency: currency, TimeZone: timeZone } = brand;
/** Numbers that the product's own table has from the server (src/app/text-numbers.server.ts); the others have no place in these tests. */
const numbers = { passwordMin: passwordLength.min, passwordMax: passwordLength.max, marketingAge };
const texts = (locale: Locale, catalogue: unknown) => {
  const formats = formatsOf(locale, { country, currency, timeZone, words: brandWords(brand, locale) });
  return createTexts(locale, compiled(catalogue), { ...formats, words: { ...formats.words, ...numbers } });
};
export const textsOf: Record<Locale, Texts> = { fr: texts("fr", fr), en: texts("en", en), de: texts("de", de) };
provideUnits(() => textsOf.fr.formats);

/** A text of the French catalogue, the language of most tests. */
export const t = (id: TextId, values?: Values) => textsOf.fr.t(id, values);

/** Texts as a screen reader reads them one after the other: every kind of space is one space. */
export const spoken = (...texts: string[]) => texts.join(" ").replace(/\s+/g, " ").trim();

/** What a request carried, as the API would read it. */
export interface Sent {
  fields: Record<string, string>;
  headers: Headers;
}

type Reply = (sent: Sent) => Response | Promise<Response>;

const replies = new Map<string, { reply: Reply; sent: Sent[] }>();

/** Says how the API responds to a call from now on. Returns the requests, filled as they arrive. */
export function onCall(line: EndpointName, reply: Reply): Sent[] {
  const sent = replies.get(line)?.sent ?? [];
  replies.set(line, { reply, sent });
  return sent;
}

/** The response of a call that succeeds; the call's line is the type argument. */
export function accept<W extends EndpointName>(body: ResponseBody<W>): Reply {
  return () => Response.json(body);
}

/** A refusal as the API writes it, in the language of the request. */
export function refuse(code: RefusalCode, errors?: FieldError[]): Reply {
  return ({ headers }) => {
    const texts = textsOf[localeOfHeader(headers.get("accept-language")) ?? "fr"];
    const status = refusals[code];
    const problem: Problem = {
      type: `urn:problem:${code}`,
      title: code,
      status,
      code,
      detail: texts.t(`refusal.${code}`),
      instance: "test",
      ...(errors && { errors: errors.map((error) => ({ ...error, message: texts.t(`field.${error.code}`) })) }),
    };
    return Response.json(problem, { status });
  };
}

/** What `fetch` does without a network. */
export const unreachable: Reply = () => Promise.reject(new TypeError("Failed to fetch"));

/** A reply that waits until the test lets it go. */
export function held(reply: Reply): { reply: Reply; release: () => void } {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    release,
    reply: async (sent) => {
      await released;
      return reply(sent);
    },
  };
}

async function respond(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const { pathname, searchParams } = new URL(String(input), location.href);
  const body = init.body instanceof FormData ? init.body : searchParams;
  const line = `${init.method} ${pathname.replace("/api/", "")}`;
  const found = replies.get(line);
  if (!found) throw new Error(`No reply for ${line}`);
  const fields = Object.fromEntries([...body].map(([name, value]) => [name, String(value)]));
  const sent = { fields, headers: new Headers(init.headers) };
  found.sent.push(sent);
  return found.reply(sent);
}

export const customer: Customer = {
  IdCustomer: 7,
  Email: "lea@exemple.fr",
  Firstname: "Léa",
  Lastname: "Martin",
  Civility: "Mme",
  Birthday: "1990-04-24",
  MobilePhone: "+33612345678",
  LanguageIsoCode: "fr",
  CurrencyIsoCode: "EUR",
  Guest: false,
  Active: true,
  EmailVerified: true,
  HasPassword: true,
  NewsletterSubscribe: true,
  NewsletterSmsSubscribe: false,
  LoyaltySubscribe: false,
  SocialLogins: [],
};

let root: Root | undefined;

/** Opens a page in a language, signed in as `customer` if one is given. A redirect shows the path it leads to. */
export async function openPage(
  route: Pick<RouteObject, "Component" | "action" | "loader">,
  { locale = "fr" as Locale, path = "/page", customer = null as Customer | null } = {},
) {
  document.documentElement.lang = locale;
  const address = localePath(locale, path);
  const router = createMemoryRouter(
    [
      {
        id: "root",
        loader: () => ({ customer }),
        HydrateFallback: () => null,
        children: [
          { ...route, path: new URL(address, location.href).pathname, shouldRevalidate },
          { path: "*", loader: ({ request }) => new URL(request.url).pathname, Component: Elsewhere },
        ],
      },
    ],
    { initialEntries: [address] },
  );
  const container = document.body.appendChild(document.createElement("main"));
  root = createRoot(container);
  root.render(
    <StrictMode>
      <TextsProvider texts={textsOf[locale]}>
        <RouterProvider router={router} />
      </TextsProvider>
    </StrictMode>,
  );
  await expect.poll(() => container.childElementCount).toBeGreaterThan(0);
  return router;
}

/** Any page but the one under test. */
function Elsewhere() {
  return <p>elsewhere</p>;
}

export const button = (name: string) => page.getByRole("button", { name, exact: true });
export const textbox = (name: string) => page.getByRole("textbox", { name, exact: true });
/** A password has no role of its own; its label may end with the asterisk of what is required. */
export const passwordField = (label: string) => page.getByLabelText(new RegExp(`^${label}( \\*)?$`));

/** The input of this name, for what only the form itself sees: hidden fields, attributes. */
export function inputNamed(name: string): HTMLInputElement {
  const input = document.querySelector(`input[name="${name}"]`);
  if (!(input instanceof HTMLInputElement)) throw new Error(`No input ${name}`);
  return input;
}

beforeEach(() => {
  vi.stubGlobal("fetch", respond);
  vi.spyOn(console, "error");
});

afterEach(() => {
  root?.unmount();
  root = undefined;
  document.body.replaceChildren();
  replies.clear();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  // A console error is a fault, even where the page looks right.
  expect(vi.mocked(console.error).mock.calls).toEqual([]);
  vi.restoreAllMocks();
});
