import { settings } from "../settings.ts";

/** Vendure refused: what it says is for the customer. */
export class Refusal extends Error {}

export interface Session {
  /** Of Vendure: an anonymous session gets one with its first article. */
  token?: string | undefined;
}

/** Everything an answer may hold; each query asks for some of it. */
export interface Answer {
  activeCustomer: { firstName: string; lastName: string; emailAddress: string } | null;
  activeOrder: Order | null;
  orderByCode: Order | null;
  orders: { items: Order[] };
  product: Product | null;
  products: { items: Product[] };
  cercleBasket: Basket | null;
  cercleEmbedToken: string | null;
  cercleSignOutUrl: string | null;
  eligibleShippingMethods: { id: string; priceWithTax: number }[];
  modifyOrder: { totalWithTax: number };
}
export interface Product {
  slug: string;
  name: string;
  description: string;
  variants: { id: string; priceWithTax: number }[];
}
export interface Order {
  id: string;
  code: string;
  state: string;
  totalQuantity: number;
  subTotalWithTax: number;
  shippingWithTax: number;
  totalWithTax: number;
  lines: {
    id: string;
    quantity: number;
    linePriceWithTax: number;
    proratedUnitPriceWithTax: number;
    productVariant: { name: string };
  }[];
  discounts: { description: string; amountWithTax: number }[];
  payments: { id: string; state: string; amount: number; refunds: { total: number; state: string }[] }[];
  customFields: {
    cerclePoints: number | null;
    cerclePointsArriveAt: string | null;
    cercleClaimUrl: string | null;
    cercleReceipt?: string | null;
    cercleProblem?: string | null;
  };
}
interface Basket {
  points: number | null;
  pointsArriveAt: string | null;
  vouchers: { token: string; ending: string; value: number; expiresAt: string }[];
}

export const orderFields = `
  id code state totalQuantity subTotalWithTax shippingWithTax totalWithTax
  lines { id quantity linePriceWithTax proratedUnitPriceWithTax productVariant { name } }
  discounts { description amountWithTax }
  payments { id state amount refunds { total state } }
  customFields { cerclePoints cerclePointsArriveAt cercleClaimUrl }`;

/** Asks Vendure in the name of the session. Its mutations say a refusal as a result with a message. */
export async function ask(
  api: "shop-api" | "admin-api",
  session: Session,
  query: string,
  variables: object = {},
): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${settings.vendurePort}/${api}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(session.token && { authorization: `Bearer ${session.token}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  session.token = response.headers.get("vendure-auth-token") ?? session.token;
  const { data, errors } = (await response.json()) as { data: Answer; errors?: { message: string }[] };
  if (errors?.[0]) throw new Refusal(errors[0].message);
  for (const result of Object.values(data) as ({ errorCode?: string; message?: string } | null)[])
    if (result?.errorCode) throw new Refusal(explain(result));
  return data;
}

/** A transition says why in an error of its own. */
const explain = (result: { message?: string; transitionError?: string; authenticationError?: string }): string =>
  result.transitionError ?? result.authenticationError ?? result.message ?? "It did not work.";
