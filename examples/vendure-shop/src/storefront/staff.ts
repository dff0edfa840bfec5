import { centsOf } from "@cercle/client/money";
import { administrator } from "../config.ts";
import { type Answer, ask, type Order, orderFields, Refusal, type Session } from "./vendure.ts";

/** What staff do with an order in Vendure's dashboard: capture, refund, edit. By the Admin API, as the administrator. */
const session: Session = {};
const result = "__typename ... on ErrorResult { errorCode message }";

async function admin(query: string, variables: object): Promise<Answer> {
  const login = `mutation ($identifier: String!, $password: String!) {
    authenticate(input: { native: { username: $identifier, password: $password } }) { ${result} } }`;
  if (!session.token) await ask("admin-api", session, login, { ...administrator });
  return ask("admin-api", session, query, variables);
}

export async function findOrder(code: string): Promise<Order> {
  const fields = orderFields.replace("cerclePoints ", "cerclePoints cercleReceipt cercleProblem ");
  const query = `query ($code: String!) { orders(options: { filter: { code: { eq: $code } } }) { items { ${fields} } } }`;
  const [order] = (await admin(query, { code })).orders.items;
  if (!order) throw new Refusal("There is no such order.");
  return order;
}

/** The payment of which so much is left to give back, exactly if there is one. */
function paymentToRefund(order: Order, cents: number): string {
  const left = order.payments
    .filter(({ state }) => state === "Settled")
    .map(({ id, amount, refunds }) => ({ id, cents: refunds.reduce((rest, { total }) => rest - total, amount) }))
    .filter((payment) => payment.cents >= cents)
    .sort((one, other) => one.cents - other.cents);
  if (!left[0]) throw new Refusal("No payment of the order covers this refund.");
  return left[0].id;
}

export async function capture(order: Order): Promise<void> {
  const query = `mutation ($id: ID!) { settlePayment(id: $id) { ${result} } }`;
  await admin(query, { id: order.payments.find(({ state }) => state === "Authorized")?.id });
}

/** One of an article comes back, or a sum is given back. */
export async function refund(order: Order, { line, amount = "0" }: Record<string, string>): Promise<void> {
  const article = order.lines.find(({ id }) => id === line);
  const lines = article ? [{ orderLineId: article.id, quantity: 1 }] : [];
  const total = article ? article.proratedUnitPriceWithTax : centsOf(amount);
  const giveBack = `mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { ${result} } }`;
  const paymentId = paymentToRefund(order, total);
  await admin(giveBack, { input: { lines, shipping: 0, adjustment: 0, amount: total, paymentId, reason: "Returned" } });
  if (!article) return;
  const cancel = `mutation ($input: CancelOrderInput!) { cancelOrder(input: $input) { ${result} } }`;
  await admin(cancel, { input: { orderId: order.id, lines, reason: "Returned" } });
}

/** The order gets another quantity; the difference is paid by hand, or refunded. */
export async function edit(order: Order, { line, quantity }: Record<string, string>): Promise<void> {
  const change = { orderId: order.id, adjustOrderLines: [{ orderLineId: line, quantity: Number(quantity) }] };
  const modify = `mutation ($input: ModifyOrderInput!) {
    modifyOrder(input: $input) { ${result} ... on Order { totalWithTax } } }`;
  await moveTo(order, "Modifying");
  const { modifyOrder } = await admin(modify, { input: { ...change, dryRun: true } });
  const difference = modifyOrder.totalWithTax - order.totalWithTax;
  const refunds =
    difference < 0 ? [{ paymentId: paymentToRefund(order, -difference), amount: -difference, reason: "Edited" }] : [];
  await admin(modify, { input: { ...change, dryRun: false, refunds } });
  if (difference > 0) {
    await moveTo(order, "ArrangingAdditionalPayment");
    const pay = `mutation ($input: ManualPaymentInput!) { addManualPaymentToOrder(input: $input) { ${result} } }`;
    await admin(pay, { input: { orderId: order.id, method: "card", metadata: {} } });
  }
  await moveTo(order, "PaymentSettled");
}

const moveTo = ({ id }: Order, state: string) =>
  admin(
    `mutation ($id: ID!, $state: String!) { transitionOrderToState(id: $id, state: $state) {
      ${result} ... on OrderStateTransitionError { transitionError } } }`,
    { id, state },
  );
