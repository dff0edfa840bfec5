import assert from "node:assert/strict";
import { amountOf, centsOf } from "#brand/amounts.ts";
import { installedBrand } from "#brand/brand.server.ts";
import { CallFailed } from "#platform/api/client/client.ts";
import * as calls from "#shop/calls.ts";
import type { openClub } from "./club.server.ts";
import type { openNetwork } from "./network.server.ts";

type Club = Awaited<ReturnType<typeof openClub>>;
type Network = Awaited<ReturnType<typeof openNetwork>>;
type Line = { Id: string; Amount: string; Earns?: boolean };
type Order = { Order: string; CardNumber?: string; Lines: Line[]; VoucherCodes?: string[] };

/** What the suite asks of a connector: docs/shop-integration.md, "Trying your connector". */
interface Steps {
  connect: { Url: string; Key: string; Currency: string };
  place: Order;
  pay: { Order: string };
  fail: { Order: string };
  refund: { Order: string; Refund: string; Lines?: { Id: string; Amount: string }[]; Amount?: string };
  edit: { Order: string; Lines: Line[] };
  send: object;
}

const amounts = (...cents: number[]): Line[] => cents.map((one, n) => ({ Id: `line-${n + 1}`, Amount: amountOf(one) }));
const hoursMs = (hours: number) => hours * 3_600_000;
const euros = 100;

/** One order and one member, with what a check may do to them. */
function createTrial(deps: {
  club: Club;
  network: Network;
  clock: { now: Date };
  take: <Step extends keyof Steps>(step: Step, fields: Steps[Step]) => Promise<{ Total?: string; Waiting?: number }>;
  number: string;
}) {
  const { club, network, clock, take, number } = deps;
  const recorded = () =>
    club.shop(calls.readPurchase, { ReceiptNumber: number }).catch((error: unknown) => {
      if (error instanceof CallFailed && error.status === 404) return undefined;
      throw error;
    });
  const sorted = (cents: readonly number[]) => [...cents].sort((a, b) => a - b);

  /** What is left of each line, in any order: a connector may number them as it likes. */
  async function expectLeft(...cents: number[]) {
    const sale = await recorded();
    assert.ok(sale, "the order is not recorded");
    const left = sale.Lines.map(({ Left }) => centsOf(Left)).filter((one) => one > 0);
    assert.deepEqual(sorted(left), sorted(cents), "what is left of the lines, in cents");
    return sale;
  }
  const place = async (cents: number[], more: Partial<Order> = {}) =>
    take("place", { Order: number, Lines: amounts(...cents), ...more });
  /** A step while the network fails: what the connector answers does not matter. */
  const attempt = <Step extends keyof Steps>(step: Step, fields: Steps[Step]) => take(step, fields).catch(() => {});
  async function reconnect() {
    network.state = "up";
    const { Waiting } = await take("send", {});
    assert.equal(Waiting ?? 0, 0, "receipts that still wait after the network came back");
  }
  const pay = () => take("pay", { Order: number });
  const refund = (Refund: string, what: { Lines?: { Id: string; Amount: string }[]; Amount?: string }) =>
    take("refund", { Order: number, Refund, ...what });
  const edit = (...cents: number[]) => take("edit", { Order: number, Lines: amounts(...cents) });
  return {
    ...deps,
    recorded,
    expectLeft,
    place,
    pay,
    refund,
    edit,
    attempt,
    reconnect,
    later: (hours: number) => {
      clock.now = new Date(clock.now.getTime() + hoursMs(hours));
    },
  };
}
type Trial = ReturnType<typeof createTrial>;

const line = (number: number, cents: number) => ({ Id: `line-${number}`, Amount: amountOf(cents) });

/** What a connector must do, in the words that are printed. */
const checks: Record<string, (trial: Trial) => Promise<void>> = {
  "a paid order is recorded with its lines and its customer, and earns": async ({ club, place, pay, expectLeft }) => {
    const member = await club.addMember();
    await place([60 * euros, 40 * euros], { CardNumber: member.card });
    await pay();
    const { IdCustomer } = await expectLeft(60 * euros, 40 * euros);
    assert.ok(IdCustomer, "the customer is not named");
    const { Available, Pending } = await member.points();
    assert.equal(Available + Pending, 350, "points");
  },
  "the order of a guest is recorded without a customer": async ({ place, pay, expectLeft }) => {
    await place([25 * euros]);
    await pay();
    assert.equal((await expectLeft(25 * euros)).IdCustomer, null);
  },
  "shipping that earns nothing is a line that does not earn": async ({ club, number, take, pay, expectLeft }) => {
    const { card } = await club.addMember();
    const shipping = { Id: "shipping", Amount: amountOf(5 * euros), Earns: false };
    await take("place", { Order: number, CardNumber: card, Lines: [...amounts(20 * euros), shipping] });
    await pay();
    const { Lines, Earned } = await expectLeft(20 * euros, 5 * euros);
    assert.equal(Lines.filter(({ Earns }) => !Earns).length, 1, "lines that do not earn");
    assert.equal(Earned, 20, "points");
  },
  "a payment that is told twice counts once": async ({ club, place, pay, expectLeft }) => {
    const member = await club.addMember();
    await place([50 * euros], { CardNumber: member.card });
    await Promise.all([pay(), pay()]);
    await pay();
    await expectLeft(50 * euros);
    const { Available, Pending } = await member.points();
    assert.equal(Available + Pending, 300, "points");
  },
  "a voucher lowers what is to be paid, is held until then, and is used by the payment": async (trial) => {
    const { club, place, pay, expectLeft } = trial;
    const member = await club.addMember();
    const code = await member.obtain();
    const { Total } = await place([60 * euros], { CardNumber: member.card, VoucherCodes: [code] });
    assert.equal(Total, amountOf(50 * euros), "what is to be paid");
    const elsewhere = { VoucherCodes: code, ReceiptNumber: `elsewhere-${trial.number}` };
    await assert.rejects(club.boutique(calls.holdVouchers, elsewhere), "another shop could take the voucher");
    await pay();
    assert.equal((await expectLeft(50 * euros)).VoucherTotal, amountOf(10 * euros), "what the voucher took off");
  },
  "a voucher that cannot be used is refused at checkout": async ({ club, place, number }) => {
    const member = await club.addMember();
    const code = await member.obtain();
    await club.boutique(calls.holdVouchers, { VoucherCodes: code, ReceiptNumber: `elsewhere-${number}` });
    await assert.rejects(place([60 * euros], { CardNumber: member.card, VoucherCodes: [code] }), "it was accepted");
  },
  "an order whose payment fails is not recorded, and its voucher can be used elsewhere": async (trial) => {
    const { club, place, number, take, recorded } = trial;
    const member = await club.addMember();
    const code = await member.obtain();
    await place([60 * euros], { CardNumber: member.card, VoucherCodes: [code] });
    await take("fail", { Order: number });
    assert.equal(await recorded(), undefined, "the order is recorded");
    await club.boutique(calls.holdVouchers, { VoucherCodes: code, ReceiptNumber: `elsewhere-${number}` });
  },
  "a paid order whose voucher was lost meanwhile is recorded at the price that was paid": async (trial) => {
    const { club, clock, place, pay, later, expectLeft, number } = trial;
    const member = await club.addMember();
    const code = await member.obtain();
    await place([60 * euros], { CardNumber: member.card, VoucherCodes: [code] });
    later(73);
    const now = clock.now.toISOString();
    const elsewhere = { ReceiptNumber: `elsewhere-${number}`, CardNumber: member.card, VoucherCodes: code };
    await club.boutique(calls.postPurchase, { ...elsewhere, SoldAt: now, SentAt: now, Amount: amountOf(20 * euros) });
    await pay();
    assert.equal((await expectLeft(50 * euros)).VoucherTotal, amountOf(0), "what vouchers took off");
  },
  "a refund of a part gives back that part, once for each refund": async ({ place, pay, refund, expectLeft }) => {
    await place([60 * euros, 40 * euros]);
    await pay();
    await refund("1", { Lines: [line(2, 15 * euros)] });
    await refund("1", { Lines: [line(2, 15 * euros)] });
    await expectLeft(60 * euros, 25 * euros);
    await refund("2", { Lines: [line(2, 25 * euros)] });
    await expectLeft(60 * euros);
  },
  "a refund of a sum is laid on what is left": async ({ place, pay, refund, expectLeft }) => {
    await place([60 * euros, 40 * euros]);
    await pay();
    await refund("1", { Amount: amountOf(10 * euros) });
    await expectLeft(54 * euros, 36 * euros);
  },
  "a refund a cent above what is left, from another way of rounding, is a refund of the rest": async (trial) => {
    const { club, place, pay, refund, expectLeft } = trial;
    const member = await club.addMember();
    const code = await member.obtain();
    await place([1_001, 2_002, 3_003], { CardNumber: member.card, VoucherCodes: [code] });
    await pay();
    await refund("1", { Lines: [line(1, 835), line(2, 1_669), line(3, 2_503)] });
    await expectLeft();
  },
  "an order that is edited is amended: more, less and other lines": async ({ club, place, pay, edit, expectLeft }) => {
    const member = await club.addMember();
    await place([60 * euros, 40 * euros], { CardNumber: member.card });
    await pay();
    await edit(70 * euros, 30 * euros, 5 * euros);
    await edit(70 * euros, 30 * euros, 5 * euros);
    await expectLeft(70 * euros, 30 * euros, 5 * euros);
    await edit(70 * euros, 30 * euros);
    await expectLeft(70 * euros, 30 * euros);
  },
  "a refund after an edit names the lines that are meant": async ({ place, pay, number, take, refund, expectLeft }) => {
    await place([60 * euros, 40 * euros]);
    await pay();
    await take("edit", { Order: number, Lines: [line(2, 40 * euros), line(3, 20 * euros)] });
    await refund("1", { Lines: [line(2, 40 * euros)] });
    await expectLeft(20 * euros);
  },
  "without a network a paid order is kept, and sent when it is back": async (trial) => {
    const { network, place, number, attempt, reconnect, recorded, expectLeft } = trial;
    await place([30 * euros]);
    network.state = "down";
    await attempt("pay", { Order: number });
    await attempt("pay", { Order: number });
    assert.equal(await recorded(), undefined);
    await reconnect();
    await expectLeft(30 * euros);
  },
  "an answer that is lost does not make a second sale, refund or edit": async (trial) => {
    const { club, network, place, number, attempt, reconnect, expectLeft } = trial;
    const member = await club.addMember();
    await place([30 * euros, 20 * euros], { CardNumber: member.card });
    network.state = "lossy";
    await attempt("pay", { Order: number });
    await attempt("refund", { Order: number, Refund: "1", Lines: [line(1, 10 * euros)] });
    await reconnect();
    network.state = "lossy";
    await attempt("edit", { Order: number, Lines: amounts(20 * euros, 25 * euros) });
    await reconnect();
    await expectLeft(20 * euros, 25 * euros);
    const { Available, Pending } = await member.points();
    assert.equal(Available + Pending, 295, "points");
  },
  "sale, edit and refund that were all made without a network arrive in their order": async (trial) => {
    const { network, place, number, attempt, reconnect, expectLeft } = trial;
    await place([30 * euros, 20 * euros]);
    network.state = "down";
    await attempt("pay", { Order: number });
    await attempt("edit", { Order: number, Lines: amounts(35 * euros, 20 * euros) });
    await attempt("refund", { Order: number, Refund: "1", Lines: [line(2, 20 * euros)] });
    await reconnect();
    await expectLeft(35 * euros);
  },
  "a busy server and a key that is refused for a while cost no sale": async (trial) => {
    const { network, place, number, attempt, reconnect, expectLeft } = trial;
    await place([30 * euros]);
    network.state = "busy";
    await attempt("pay", { Order: number });
    network.state = "refusing";
    await attempt("send", {});
    await attempt("refund", { Order: number, Refund: "1", Lines: [line(1, 10 * euros)] });
    await reconnect();
    await expectLeft(20 * euros);
  },
};

export interface Verdict {
  check: string;
  /** Absent when it holds. */
  failure?: string;
}

/** Tries a connector, check by check. */
export async function runConformance(deps: {
  club: Club;
  network: Network;
  clock: { now: Date };
  connector: string;
}): Promise<Verdict[]> {
  const { club, network, connector } = deps;
  async function take(step: keyof Steps, fields: object) {
    const response = await fetch(`${connector.replace(/\/$/, "")}/${step}`, {
      ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(fields) },
    });
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(`${step}: ${response.status} ${answer.Message ?? ""}`);
    return answer;
  }
  await take("connect", { Url: network.url, Key: club.key, Currency: installedBrand().Currency });
  const verdicts: Verdict[] = [];
  for (const [check, run] of Object.entries(checks)) {
    const number = `#${1001 + verdicts.length}`;
    network.state = "up";
    try {
      await run(createTrial({ ...deps, take, number }));
      verdicts.push({ check });
    } catch (error) {
      verdicts.push({ check, failure: reasonOf(error) });
    }
  }
  return verdicts;
}

function reasonOf(error: unknown): string {
  if (error instanceof CallFailed)
    return `${error.status} ${error.problem?.code} ${JSON.stringify(error.problem?.errors ?? "")}`;
  return error instanceof Error ? error.message : String(error);
}
