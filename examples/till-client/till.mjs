// A till for Cercle in plain Node 20. See README.md. Payment is left out: the comment in `sell` says where it belongs.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createClient, KeyRefused, Unanswered } from "@cercle/client";
import { amountOf, centsOf } from "@cercle/client/money";
import { fileStore } from "@cercle/client/node";
import { createQueue } from "@cercle/client/queue";

const tillName = process.env.TILL_NAME ?? "T1";
const timeZone = process.env.CLUB_TIME_ZONE;
const decimals = Number(process.env.CLUB_DECIMALS ?? 2);

const cercle = createClient({
  url: process.env.CERCLE_URL ?? "http://localhost:3000",
  key: process.env.CERCLE_KEY ?? "",
  // A customer waits: what gets no answer is queued.
  attempts: 1,
});
/** Every receipt of this till, written down before it is sent. */
const journal = await createQueue(cercle, fileStore(join(process.env.TILL_DIR ?? "till-data", "journal.json")));
const queued = () => journal.entries().filter(({ state }) => state === "waiting");

/** A number is never given twice. The till's name keeps the tills of a shop apart: they share the numbers. */
function nextNumber() {
  const given = journal.entries().filter(({ kind }) => kind !== "void").length;
  return `${tillName}-${String(given + 1).padStart(6, "0")}`;
}

/** The club's day: that of its time zone, wherever the till is. */
const dayOf = (time) => new Intl.DateTimeFormat("sv-SE", { timeZone }).format(time);

const cents = (text) => centsOf(text, decimals);
const written = (amount) => amountOf(amount, decimals);
const sum = (list, amountOfOne) => list.reduce((total, one) => total + cents(amountOfOne(one)), 0);

/** Points that cannot be spent yet. */
const pendingOf = ({ Pending }) => (Pending ? `, ${Pending} pending` : "");

/** The network, or the key: a sale goes on without both. */
const isOffline = (error) => error instanceof Unanswered || error instanceof KeyRefused;

async function who({ card }) {
  const { Customers } = await cercle.identify({ CardNumber: card, EntryMode: "typed" });
  // Of a code only the end is told: the customer shows the voucher.
  for (const { Name, Tier, Points, Pending, Debt, Vouchers } of Customers) {
    console.log(`${Name}, ${Tier.Name}, ${Points} points${pendingOf({ Pending })}${Debt ? `, owes ${Debt}` : ""}`);
    for (const { Code, Value, ExpiresAt, State } of Vouchers)
      console.log(`  voucher ${Code} of ${Value}, until ${dayOf(new Date(ExpiresAt))}, ${State}`);
  }
}

async function sell({ card, line = [], other = [], voucher = [] }) {
  const amounts = [...line.map((Amount) => ({ Amount })), ...other.map((Amount) => ({ Amount, Earns: false }))];
  const lines = amounts.map((one, index) => ({ Line: String(index + 1), ...one }));
  const basket = { Lines: lines, CardNumber: card, ...(voucher.length > 0 && { VoucherCodes: voucher }) };
  const ReceiptNumber = nextNumber();
  try {
    if (card) await who({ card }).catch(unlessNotFound);
    const { Points, Vouchers, Lines } = await cercle.quote({ ...basket, ReceiptNumber });
    const unusable = Vouchers.filter(({ Reason }) => Reason);
    if (unusable.length > 0)
      throw new Error(unusable.map(({ Code, Reason }) => `Voucher ${Code}: ${Reason}`).join("\n"));
    console.log(`To pay: ${written(sum(Lines, ({ Paid }) => Paid))}, would earn ${Points.Earned} points`);
    if (voucher.length > 0) await cercle.hold({ VoucherCodes: voucher, ReceiptNumber });
  } catch (error) {
    if (!isOffline(error)) throw error;
    if (voucher.length > 0) throw new Error("Vouchers need the network: leave them out, or wait.");
  }
  // Payment belongs here. When it fails, release the vouchers, and write no receipt.
  const sale = await journal.add("purchase", { ReceiptNumber, SoldAt: new Date(), ...basket });
  await journal.send();
  if (sale.state === "refused" && voucher.length > 0) await cercle.release({ VoucherCodes: voucher, ReceiptNumber });
  printReceipt(sale);
}

function unlessNotFound(error) {
  if (error.code !== "not_found") throw error;
  console.log("No member has this card.");
}

function printReceipt({ kind, item, state, answer, problem }) {
  console.log(`Receipt ${item.ReceiptNumber} (${kind})`);
  if (state === "waiting") return console.log("  Kept here: it is sent when the network is back. Points follow.");
  if (state === "refused") return console.log(`  Refused: ${problem.detail} (${problem.code})`);
  for (const { Line, Paid, VoucherShare } of answer.Lines ?? [])
    console.log(`  line ${Line}  ${Paid}${cents(VoucherShare) > 0 ? `  (voucher ${VoucherShare})` : ""}`);
  for (const { Line, Amount } of answer.Refunds ?? []) console.log(`  line ${Line}  -${Amount}`);
  for (const { Value } of answer.ReissuedVouchers ?? [])
    console.log(`  new voucher of ${Value}, in the customer's account`);
  for (const { Value } of answer.CancelledVouchers ?? [])
    console.log(`  voucher of ${Value} cancelled: its points came from the returned sale`);
  const { Earned = 0, Taken = 0, Available, ArrivesAt } = answer.Points;
  if (answer.ClaimUrl) console.log(`  Your points: ${answer.ClaimUrl} (${answer.ClaimCode})`);
  else if (answer.WaitingPoints) console.log(`  ${answer.WaitingPoints} points need a review.`);
  else if (answer.Waiting) console.log("  Points follow.");
  else {
    const arrival = ArrivesAt ? ` on ${dayOf(new Date(ArrivesAt))}` : "";
    console.log(`  Points: +${Earned}${arrival} -${Taken}, now ${Available}${pendingOf(answer.Points)}`);
  }
}

/** A receipt of another shop is proved by its code, by what was paid and the day, or by the customer's card, scanned. */
const proofOf = ({ shop, code, paid, day, card }) => ({
  ...{ OriginalIdShop: shop, OriginalClaimCode: code, OriginalAmount: paid },
  ...(paid && { OriginalDay: day ?? dayOf(new Date()) }),
  ...(card && { CardNumber: card, EntryMode: "scanned" }),
});

async function giveBack({ of, line = [], ...proof }) {
  const lines = line.map((text) => {
    const [Line, Amount] = text.split(":");
    return { Line, Amount };
  });
  const back = await journal.add("return", {
    ...{ ReceiptNumber: nextNumber(), OriginalReceiptNumber: of, SoldAt: new Date(), ...proofOf(proof) },
    ...(lines.length > 0 && { Lines: lines }),
  });
  await journal.send();
  printReceipt(back);
}

/** A void is for today: one that waits for the network may come too late. */
async function cancel({ of }) {
  if (!(await journal.send())) throw new Error("A void needs the network.");
  const known = journal.entries().find(({ kind, item }) => kind === "void" && item.ReceiptNumber === of);
  const receipt = known ?? (await journal.add("void", { ReceiptNumber: of }));
  await journal.send();
  printReceipt(receipt);
}

/** What this till took. A refused sale counts, and the difference shows it. A void counts as a return. */
function totalsOf(day) {
  const ofDay = journal.entries().filter(({ addedAt }) => dayOf(new Date(addedAt)) === day);
  const sales = ofDay.filter(({ kind }) => kind === "purchase");
  const returns = ofDay.filter(({ kind, state }) => kind !== "purchase" && (kind !== "void" || state === "done"));
  const paid = ({ item, answer }) =>
    answer ? sum(answer.Lines, ({ Paid }) => Paid) : sum(item.Lines, ({ Amount }) => Amount);
  const add = (list, amountOf) => written(list.reduce((total, one) => total + amountOf(one), 0));
  return {
    Count: String(sales.length),
    Amount: add(sales, paid),
    VoucherAmount: add(sales, ({ answer }) => sum(answer?.Vouchers ?? [], ({ Taken }) => Taken)),
    ReturnCount: String(returns.length),
    ReturnAmount: add(returns, ({ answer }) => sum(answer?.Refunds ?? [], ({ Amount }) => Amount)),
  };
}

async function close({ day = dayOf(new Date()) }) {
  if (!(await journal.send())) throw new Error(`${queued().length} receipts still wait: close when they are sent.`);
  const { Differences } = await cercle.close({ Day: day, ...totalsOf(day) });
  for (const { Total, Till, Cercle } of Differences) console.log(`${Total}: ${Till} here, ${Cercle} at Cercle`);
  if (Differences.length === 0) console.log(`${day}: no differences`);
  const { Conflicts } = await cercle.report({ Day: day });
  for (const { ReceiptNumber, Reason } of Conflicts) console.log(`${ReceiptNumber}: ${Reason}`);
}

async function send() {
  const before = queued();
  const isEmpty = await journal.send();
  for (const receipt of before) printReceipt(receipt);
  if (isEmpty) console.log("Nothing is queued.");
}

const commands = { who, sell, return: giveBack, void: cancel, send, close };
const several = { type: "string", multiple: true };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ card: { type: "string" }, of: { type: "string" }, day: { type: "string" } },
    ...{ shop: { type: "string" }, code: { type: "string" }, paid: { type: "string" } },
    ...{ line: several, other: several, voucher: several },
  },
});
const command = commands[positionals[0]];
try {
  if (!command) throw new Error(`Commands: ${Object.keys(commands).join(", ")}. See README.md.`);
  if (!process.env.CERCLE_KEY) throw new Error("CERCLE_KEY is missing.");
  await command(values);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
