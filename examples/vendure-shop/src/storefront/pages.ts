import { amountOf } from "@cercle/client/money";
import { settings } from "../settings.ts";
import { day, type Html, html, money } from "./html.ts";
import type { Answer, Order, Product } from "./vendure.ts";

export interface Frame {
  title: string;
  nonce: string;
  customer: Answer["activeCustomer"];
  articles: number;
  /** Names the customer to the elements; without one they show what everybody sees. */
  embedToken: string | null;
  message?: string | undefined;
}

export const page = (
  { title, nonce, customer, articles, embedToken, message }: Frame,
  content: Html,
): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Atelier</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css" nonce="${nonce}">
<link rel="stylesheet" href="${settings.cercleUrl}/embed/cercle.css" nonce="${nonce}" crossorigin>
<script src="${settings.cercleUrl}/embed/cercle.js" nonce="${nonce}" data-token="${embedToken ?? ""}" defer></script>
</head>
<body>
<header>
  <a class="name" href="/">Atelier</a>
  <nav>
    ${
      customer
        ? html`<span>${customer.firstName}</span>
          <cercle-points></cercle-points>
          <form method="post" action="/sign-out"><button class="link">Sign out</button></form>`
        : html`<a href="/sign-in">Sign in</a>`
    }
    <a href="/basket">Basket${articles > 0 && html` (${articles})`}</a>
  </nav>
</header>
<main>
${message && html`<p class="message" role="alert">${message}</p>`}
${content}
</main>
</body>
</html>
`;

const priceOf = ({ variants }: Product): number => variants[0]?.priceWithTax ?? 0;

const earns = (cents: number): Html => html`<cercle-earn amount="${amountOf(cents)}"></cercle-earn>`;

export const catalogue = (products: Product[]): Html => html`
<h1>Four things, well made</h1>
<ul class="articles">
  ${products.map(
    (product) => html`<li>
    <a href="/products/${product.slug}"><span class="picture ${product.slug}"></span>${product.name}</a>
    <span class="price">${money(priceOf(product))}</span>
  </li>`,
  )}
</ul>`;

export const article = (product: Product): Html => html`
<div class="article">
  <span class="picture ${product.slug}"></span>
  <div>
    <h1>${product.name}</h1>
    <p>${product.description}</p>
    <p class="price">${money(priceOf(product))}</p>
    <p class="earn">${earns(priceOf(product))}</p>
    <form method="post" action="/basket/add">
      <input type="hidden" name="variant" value="${product.variants[0]?.id}">
      <button>Add to basket</button>
    </form>
  </div>
</div>`;

const totals = (order: Order): Html => html`
<dl class="totals">
  ${order.discounts.map(
    ({ description, amountWithTax }) => html`<div><dt>${description}</dt><dd>${money(amountWithTax)}</dd></div>`,
  )}
  ${order.shippingWithTax > 0 && html`<div><dt>Delivery</dt><dd>${money(order.shippingWithTax)}</dd></div>`}
  <div class="total"><dt>Total</dt><dd>${money(order.totalWithTax)}</dd></div>
</dl>`;

export function basket(order: Order | null, club: Answer["cercleBasket"], isSignedIn: boolean): Html {
  if (!order || order.lines.length === 0)
    return html`<h1>Your basket</h1><p>It is empty. <a href="/">Look around</a></p>`;
  return html`
<h1>Your basket</h1>
<ul class="lines">
  ${order.lines.map(
    (line) => html`<li>
    <span>${line.productVariant.name}</span>
    <form method="post" action="/basket/change">
      <input type="hidden" name="line" value="${line.id}">
      <label>Quantity <input name="quantity" type="number" min="0" max="20" value="${line.quantity}"></label>
      <button class="link">Change</button>
    </form>
    <span class="price">${money(line.linePriceWithTax)}</span>
  </li>`,
  )}
</ul>
${totals(order)}
<section class="club">
  <h2>The club</h2>
  ${
    club?.points !== null && club?.points !== undefined
      ? html`<p>This basket earns <strong>${club.points} points</strong>${
          club.pointsArriveAt && html`, which arrive on ${day(club.pointsArriveAt)}`
        }.</p>`
      : !isSignedIn && html`<p>Members earn points with this basket. <a href="/sign-in">Sign in</a></p>`
  }
  ${
    order.discounts.length > 0
      ? html`<form method="post" action="/basket/no-voucher"><button class="link">Remove the voucher</button></form>`
      : club?.vouchers.map(
          ({ token, ending, value, expiresAt }) => html`<form method="post" action="/basket/voucher">
    <input type="hidden" name="token" value="${token}">
    <span>Voucher of ${money(value)}, …${ending}, until ${day(expiresAt)}</span>
    <button class="link">Use it</button>
  </form>`,
        )
  }
</section>
<p><a class="button" href="/checkout">Go to checkout</a></p>`;
}

export const checkout = (order: Order, customer: Answer["activeCustomer"], delivery: number): Html => html`
<h1>Checkout</h1>
<form class="checkout" method="post" action="/checkout">
  ${
    !customer &&
    html`<label>First name <input name="firstName" required autocomplete="given-name"></label>
  <label>Last name <input name="lastName" required autocomplete="family-name"></label>
  <label>Email <input name="emailAddress" type="email" required autocomplete="email"></label>`
  }
  <label>Street and number <input name="streetLine1" required autocomplete="street-address"></label>
  <label>Postcode <input name="postalCode" required autocomplete="postal-code"></label>
  <label>City <input name="city" required autocomplete="address-level2"></label>
  <p>By post within France: ${money(delivery)}. To pay: <strong>${money(order.totalWithTax - order.shippingWithTax + delivery)}</strong></p>
  <label class="check"><input name="decline" type="checkbox"> Let the payment fail, to see what happens</label>
  <button>Order and pay</button>
</form>`;

const states: Record<string, string> = {
  PaymentAuthorized: "Your order is placed. The payment is reserved.",
  PaymentSettled: "Your order is paid.",
  Cancelled: "Your order is cancelled.",
};

const refundsOf = (order: Order) => order.payments.flatMap(({ refunds }) => refunds);

const orderLines = (order: Order): Html => html`
<ul class="lines">
  ${order.lines.map(
    (line) => html`<li>
    <span>${line.quantity} × ${line.productVariant.name}</span>
    <span class="price">${money(line.linePriceWithTax)}</span>
  </li>`,
  )}
</ul>
${totals(order)}
${refundsOf(order).map(({ total }) => html`<p class="refund">Refunded: ${money(total)}</p>`)}`;

export function placedOrder(order: Order): Html {
  const { cerclePoints, cerclePointsArriveAt, cercleClaimUrl } = order.customFields;
  return html`
<h1>Order ${order.code}</h1>
<p>${states[order.state] ?? order.state}</p>
${orderLines(order)}
<section class="club">
  <h2>The club</h2>
  ${
    cercleClaimUrl
      ? html`<p><a href="${cercleClaimUrl}">Add the points of this order to your account</a></p>`
      : cerclePoints === null
        ? html`<p>The points of this order appear here once it is paid.</p>`
        : html`<p>This order brings <strong>${cerclePoints} points</strong>${
            cerclePointsArriveAt && html`, which arrive on ${day(cerclePointsArriveAt)}`
          }.</p>`
  }
</section>
<p class="staff"><a href="/staff/orders/${order.code}">The same order, as staff see it</a></p>`;
}

/** Stands in for Vendure's dashboard, which has all of this and more. */
export function staffOrder(order: Order): Html {
  const authorized = order.payments.find(({ state }) => state === "Authorized");
  const action = (name: string, words: string, fields: Html) => html`
  <form method="post" action="/staff/orders/${order.code}/${name}">${fields}<button class="link">${words}</button></form>`;
  const line = (id: string) => html`<input type="hidden" name="line" value="${id}">`;
  return html`
<h1>Staff: order ${order.code}</h1>
<p>State: <strong>${order.state}</strong>. A real shop has Vendure's dashboard for this.</p>
${order.customFields.cercleProblem && html`<p class="message">${order.customFields.cercleProblem}</p>`}
${authorized && action("capture", `Capture ${money(authorized.amount)}`, html``)}
${
  order.state === "PaymentSettled" &&
  html`<ul class="lines">
  ${order.lines
    .filter(({ quantity }) => quantity > 0)
    .map(
      ({ id, quantity, productVariant: { name } }) => html`<li>
    <span>${quantity} × ${name}</span>
    ${action("refund", `Take back one ${name}`, line(id))}
${[1, -1].map((step) =>
  action(
    "edit",
    `One ${step > 0 ? "more" : "less"} ${name}`,
    html`${line(id)}<input type="hidden" name="quantity" value="${quantity + step}">`,
  ),
)}
  </li>`,
    )}
</ul>
${action("refund", "Give back a sum", html`<label>Amount <input name="amount" inputmode="decimal" value="5.00"></label>`)}`
}
${orderLines(order)}
<h2>What Cercle was told</h2>
<pre>${JSON.stringify(JSON.parse(order.customFields.cercleReceipt ?? "null"), null, 2)}</pre>
<p><a href="/orders/${order.code}">What the customer sees</a></p>`;
}
