import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { beginSignIn, redirectUri } from "../cercle/provider.ts";
import { settings } from "../settings.ts";
import { type Html, html } from "./html.ts";
import { article, basket, catalogue, checkout, page, placedOrder, staffOrder } from "./pages.ts";
import { capture, edit, findOrder, refund } from "./staff.ts";
import { type Answer, ask, orderFields, Refusal, type Session } from "./vendure.ts";

const style = readFileSync(new URL("../../src/storefront/style.css", import.meta.url));
const origin = new URL(settings.shopUrl).origin;

/** What a page shows, or where the browser goes next. */
type Shown = { title: string; content: Html };
type Result = Shown | { to: string };

interface Visit {
  session: Session;
  cookies: Record<string, string>;
  form: Record<string, string>;
  url: URL;
  /** The part of the address that the route leaves open. */
  name: string;
  setCookie(name: string, value: string): void;
}

const onFrame = "activeCustomer { firstName lastName emailAddress } activeOrder { totalQuantity } cercleEmbedToken";
const result = "__typename ... on ErrorResult { errorCode message }";
const orderResult = `${result} ... on OrderStateTransitionError { transitionError }`;

const shop = (visit: Visit, query: string, variables: object = {}): Promise<Answer> =>
  ask("shop-api", visit.session, query, variables);

const routes: Record<string, (visit: Visit) => Promise<Result>> = {
  async "GET /"(visit) {
    const { products } = await shop(visit, "{ products { items { slug name variants { id priceWithTax } } } }");
    return { title: "Shop", content: catalogue(products.items) };
  },

  async "GET /products/*"(visit) {
    const query =
      "query ($slug: String!) { product(slug: $slug) { slug name description variants { id priceWithTax } } }";
    const { product } = await shop(visit, query, { slug: visit.name });
    if (!product) throw new Refusal("There is no such article.");
    return { title: product.name, content: article(product) };
  },

  async "POST /basket/add"(visit) {
    const query = `mutation ($variant: ID!) { addItemToOrder(productVariantId: $variant, quantity: 1) { ${result} } }`;
    await shop(visit, query, visit.form);
    return { to: "/basket" };
  },

  async "GET /basket"(visit) {
    const club = "cercleBasket { points pointsArriveAt vouchers { token ending value expiresAt } }";
    const query = `{ activeCustomer { firstName } activeOrder { ${orderFields} } ${club} }`;
    const { activeOrder, activeCustomer, cercleBasket } = await shop(visit, query);
    return { title: "Basket", content: basket(activeOrder, cercleBasket, activeCustomer !== null) };
  },

  async "POST /basket/change"(visit) {
    const query = `mutation ($line: ID!, $quantity: Int!) { adjustOrderLine(orderLineId: $line, quantity: $quantity) { ${result} } }`;
    await shop(visit, query, { line: visit.form["line"], quantity: Number(visit.form["quantity"]) });
    return { to: "/basket" };
  },

  async "POST /basket/voucher"(visit) {
    await shop(visit, "mutation ($token: String!) { useCercleVoucher(token: $token) { id } }", visit.form);
    return { to: "/basket" };
  },

  async "POST /basket/no-voucher"(visit) {
    await shop(visit, "mutation { removeCercleVouchers { id } }");
    return { to: "/basket" };
  },

  async "GET /checkout"(visit) {
    const query = `{ activeCustomer { firstName lastName emailAddress } activeOrder { ${orderFields} }
      eligibleShippingMethods { id priceWithTax } }`;
    const { activeOrder, activeCustomer, eligibleShippingMethods } = await shop(visit, query);
    if (!activeOrder) return { to: "/basket" };
    const delivery = eligibleShippingMethods[0]?.priceWithTax ?? 0;
    return { title: "Checkout", content: checkout(activeOrder, activeCustomer, delivery) };
  },

  async "POST /checkout"(visit) {
    const { firstName, lastName, emailAddress, decline, ...address } = visit.form;
    const { activeOrder } = await shop(visit, "{ activeOrder { code state } }");
    // A payment that failed leaves the order as it was before: it can be paid again.
    if (activeOrder?.state === "ArrangingPayment") await moveTo(visit, "AddingItems");
    if (emailAddress)
      await shop(
        visit,
        `mutation ($input: CreateCustomerInput!) { setCustomerForOrder(input: $input) { ${result} } }`,
        {
          input: { firstName, lastName, emailAddress },
        },
      );
    const setAddress = `mutation ($input: CreateAddressInput!) { setOrderShippingAddress(input: $input) { ${result} } }`;
    await shop(visit, setAddress, { input: { ...address, countryCode: "FR" } });
    const { eligibleShippingMethods } = await shop(visit, "{ eligibleShippingMethods { id } }");
    const setShipping = `mutation ($ids: [ID!]!) { setOrderShippingMethod(shippingMethodId: $ids) { ${result} } }`;
    await shop(visit, setShipping, { ids: eligibleShippingMethods.slice(0, 1).map(({ id }) => id) });
    await moveTo(visit, "ArrangingPayment");
    const pay = `mutation ($input: PaymentInput!) { addPaymentToOrder(input: $input) { ${result}
      ... on PaymentDeclinedError { paymentErrorMessage } } }`;
    await shop(visit, pay, { input: { method: "card", metadata: { decline: decline === "on" } } });
    return { to: `/orders/${activeOrder?.code}` };
  },

  async "GET /orders/*"(visit) {
    const query = `query ($code: String!) { orderByCode(code: $code) { ${orderFields} } }`;
    const { orderByCode } = await shop(visit, query, { code: visit.name });
    if (!orderByCode) throw new Refusal("There is no such order.");
    return { title: `Order ${orderByCode.code}`, content: placedOrder(orderByCode) };
  },

  async "GET /sign-in"(visit) {
    const { url, begun } = await beginSignIn();
    visit.setCookie("sign-in", Buffer.from(JSON.stringify(begun)).toString("base64url"));
    return { to: url };
  },

  async "GET /callback"(visit) {
    const begun = JSON.parse(Buffer.from(visit.cookies["sign-in"] ?? "", "base64url").toString() || "{}");
    visit.setCookie("sign-in", "");
    const query = `mutation ($input: AuthenticationInput!) { authenticate(input: $input) {
      ${result} ... on InvalidCredentialsError { authenticationError } } }`;
    await shop(visit, query, { input: { cercle: { url: `${redirectUri}${visit.url.search}`, ...begun } } });
    return { to: "/basket" };
  },

  async "POST /sign-out"(visit) {
    const { cercleSignOutUrl } = await shop(visit, "{ cercleSignOutUrl }");
    await shop(visit, "mutation { logout { success } }");
    return { to: cercleSignOutUrl ?? "/" };
  },

  async "GET /staff/orders/*"(visit) {
    const order = await findOrder(visit.name);
    return { title: `Order ${order.code}`, content: staffOrder(order) };
  },
  async "POST /staff/orders/*/capture"(visit) {
    await capture(await findOrder(visit.name));
    return { to: `/staff/orders/${visit.name}` };
  },
  async "POST /staff/orders/*/refund"(visit) {
    await refund(await findOrder(visit.name), visit.form);
    return { to: `/staff/orders/${visit.name}` };
  },
  async "POST /staff/orders/*/edit"(visit) {
    await edit(await findOrder(visit.name), visit.form);
    return { to: `/staff/orders/${visit.name}` };
  },
};

const moveTo = (visit: Visit, state: string) =>
  shop(visit, `mutation ($state: String!) { transitionOrderToState(state: $state) { ${orderResult} } }`, { state });

/** Plain HTML from the server, in front of Vendure's Shop API. */
export const createStorefront = (): Server =>
  createServer((request, response) => {
    respond(request, response).catch((error) => {
      console.error(error);
      if (!response.headersSent) response.writeHead(500);
      response.end("Something went wrong.");
    });
  });

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", settings.shopUrl);
  if (url.pathname === "/style.css") {
    response.writeHead(200, { "content-type": "text/css" }).end(style);
    return;
  }
  // A form of another site must not order in the customer's name.
  if (request.method === "POST" && request.headers.origin !== origin) {
    response.writeHead(403).end();
    return;
  }
  const found = find(`${request.method} ${url.pathname}`);
  if (!found) {
    response.writeHead(404).end("There is no such page.");
    return;
  }
  const cookies = Object.fromEntries(new URLSearchParams(request.headers.cookie?.replaceAll("; ", "&")));
  const session: Session = { token: cookies["session"] };
  const visit: Visit = {
    ...{ session, cookies, url, name: found.name },
    form: request.method === "POST" ? Object.fromEntries(new URLSearchParams(await text(request))) : {},
    setCookie: (name, value) =>
      response.appendHeader("set-cookie", `${name}=${encodeURIComponent(value)}; Path=/; HttpOnly; SameSite=Lax`),
  };
  const outcome = await found.route(visit).catch((error) => {
    if (error instanceof Refusal) return error;
    throw error;
  });
  if (outcome instanceof Refusal && request.method === "POST") {
    // Shown on the page that has the form.
    visit.setCookie("message", outcome.message);
    redirect(new URL(request.headers.referer ?? settings.shopUrl).pathname);
  } else if (outcome instanceof Refusal)
    await show({ title: "Atelier", content: html`<p><a href="/">Look around</a></p>` }, outcome.message);
  else if ("to" in outcome) redirect(outcome.to);
  else await show(outcome, cookies["message"]);

  function redirect(to: string): void {
    visit.setCookie("session", session.token ?? "");
    response.writeHead(303, { location: to }).end();
  }

  async function show({ title, content }: Shown, message: string | undefined): Promise<void> {
    const { activeCustomer, activeOrder, cercleEmbedToken } = await shop(visit, `{ ${onFrame} }`);
    visit.setCookie("session", session.token ?? "");
    if (cookies["message"]) visit.setCookie("message", "");
    const nonce = randomBytes(16).toString("base64");
    const frame = { title, nonce, message, customer: activeCustomer, embedToken: cercleEmbedToken };
    response
      .writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "content-security-policy":
          `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:; ` +
          `connect-src ${settings.cercleUrl}; form-action 'self' ${settings.cercleUrl}; frame-ancestors 'none'`,
      })
      .end(page({ ...frame, articles: activeOrder?.totalQuantity ?? 0 }, content).text);
  }
}

/** The route of an address; `*` stands for one part of it. */
function find(address: string) {
  for (const [pattern, route] of Object.entries(routes)) {
    const [before = "", after] = pattern.split("*");
    if (after === undefined && address === pattern) return { route, name: "" };
    if (after === undefined || !address.startsWith(before) || !address.endsWith(after)) continue;
    const name = address.slice(before.length, address.length - after.length);
    if (/^[\w-]+$/.test(name)) return { route, name };
  }
  return undefined;
}
