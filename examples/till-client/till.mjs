// A till for Cercle in plain Node 20. See README.md. Payment is left out: the comment in `sell` says where it belongs.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const base = process.env.CERCLE_URL ?? "http://localhost:3000";
const key = process.env.CERCLE_KEY;
const tillName = process.env.TILL_NAME ?? "T1";
const timeZone = process.env.CLUB_TIME_ZONE;
const decimals = Number(process.env.CLUB_DECIMALS ?? 2);
const folder = process.env.TILL_DIR ?? "till-data";

// --- The API

/** What to show, with the fields that are wrong: `Lines.2.Amount` is the amount of the third line. */
const wordsOf = ({ detail, errors = [], code }) =>
  `${detail}${errors.map(({ field, message }) => ` ${field}: ${message}.`).join("")} (${code})`;

/** The answer is final: sending the same again changes nothing. */
class Refused extends Error {
  constructor(problem) {
    super(wordsOf(problem));
    this.problem = problem;
  }
}

/** No answer, or one that says nothing about this receipt: keep it and send it again. */
class Unanswered extends Error {}

/** A wrong key or a limit is no reason to give up a receipt. */
const isPassing = (status) => status >= 500 || [401, 403, 408, 429].includes(status);

async function call(path, fields, method = "POST") {
  const body = new URLSearchParams(fields);
  const url = `${base}/api/shop/${path}`;
  const headers = { authorization: `Bearer ${key}`, "accept-language": "en" };
  const signal = AbortSignal.timeout(10_000);
  let response;
  let answer;
  try {
    response =
      method === "GET"
        ? await fetch(`${url}?${body}`, { headers, signal })
        : await fetch(url, { method, headers, body, signal });
    answer = await response.json();
  } catch (error) {
    throw new Unanswered(`No answer from ${base}: ${error.cause?.code ?? error.message}`);
  }
  if (response.ok) return answer;
  if (isPassing(response.status)) throw new Unanswered(`${answer.detail} (${answer.code})`);
  throw new Refused(answer);
}

// --- The journal: every receipt of this till, written down before it is sent

const file = join(folder, "journal.json");

function readJournal() {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return { lastNumber: 0, receipts: [] };
  }
}

const journal = readJournal();

function save() {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(journal, null, 1));
  renameSync(`${file}.new`, file);
}

/** A number is never given twice. The till's name keeps the tills of a shop apart: they share the numbers. */
function nextNumber() {
  journal.lastNumber += 1;
  save();
  return `${tillName}-${String(journal.lastNumber).padStart(6, "0")}`;
}

/** The club's day: that of its time zone, wherever the till is. */
const dayOf = (time) => new Intl.DateTimeFormat("sv-SE", { timeZone }).format(time);

/** `item` stays as it is, SoldAt included: what is sent again must be the same. SentAt is told anew each time. */
function write(kind, item) {
  const receipt = { kind, day: dayOf(new Date()), state: "queued", item };
  journal.receipts.push(receipt);
  save();
  return receipt;
}

function settle(receipt, answer, problem) {
  Object.assign(receipt, answer ? { state: "done", answer } : { state: "refused", problem });
  save();
}

const queued = () => journal.receipts.filter(({ state }) => state === "queued");

// --- Sending

const now = () => new Date().toISOString();

async function sendOne(receipt) {
  try {
    settle(receipt, await call(receipt.kind, { ...receipt.item, SentAt: now() }));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    settle(receipt, undefined, error.problem);
  }
}

async function sendBatch(receipts) {
  const { Outcomes } = await call("purchase/batch", {
    Items: JSON.stringify(receipts.map(({ kind, item }) => ({ Kind: kind, ...item }))),
    SentAt: now(),
  });
  // The outcomes stand in the order of the items.
  for (const [index, { Status, Answer, Problem }] of Outcomes.entries())
    if (!isPassing(Status)) settle(receipts[index], Answer, Problem);
  return Outcomes.every(({ Status }) => !isPassing(Status));
}

/** Sends what is queued, in its order. True when nothing is left. */
async function sendQueue() {
  try {
    for (let waiting = queued(); waiting.length > 0; waiting = queued()) {
      if (waiting.length === 1) await sendOne(waiting[0]);
      else if (!(await sendBatch(waiting.slice(0, 100)))) break;
    }
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    console.log(error.message);
  }
  return queued().length === 0;
}

// --- Money, in whole cents: the smallest unit of the club's currency

const cents = (text) => Math.round(Number(text) * 10 ** decimals);
const written = (amount) => (amount / 10 ** decimals).toFixed(decimals);
const sum = (list, amountOf) => list.reduce((total, one) => total + cents(amountOf(one)), 0);

/** Points that cannot be spent yet. */
const pendingOf = ({ Pending }) => (Pending ? `, ${Pending} pending` : "");

// --- The commands

async function who({ card }) {
  const { Customers } = await call("identify", { CardNumber: card, EntryMode: "typed" });
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
  const basket = {
    Lines: JSON.stringify(lines),
    ...(card ? { CardNumber: card } : {}),
    ...(voucher.length > 0 ? { VoucherCodes: voucher.join(",") } : {}),
  };
  const ReceiptNumber = nextNumber();
  try {
    if (card) await who({ card }).catch(unlessNotFound);
    const { Points, Vouchers, Lines } = await call("quote", { ...basket, ReceiptNumber });
    const unusable = Vouchers.filter(({ Reason }) => Reason);
    if (unusable.length > 0)
      throw new Error(unusable.map(({ Code, Reason }) => `Voucher ${Code}: ${Reason}`).join("\n"));
    console.log(`To pay: ${written(sum(Lines, ({ Paid }) => Paid))}, would earn ${Points.Earned} points`);
    if (voucher.length > 0) await call("voucher/hold", { VoucherCodes: basket.VoucherCodes, ReceiptNumber });
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    if (voucher.length > 0) throw new Error("Vouchers need the network: leave them out, or wait.");
  }
  // Payment belongs here. When it fails, call voucher/release, and write no receipt.
  const sale = write("purchase", { ReceiptNumber, SoldAt: now(), ...basket });
  await sendQueue();
  if (sale.state === "refused" && voucher.length > 0)
    await call("voucher/release", { VoucherCodes: basket.VoucherCodes, ReceiptNumber });
  printReceipt(sale);
}

function unlessNotFound(error) {
  if (error.problem?.code !== "not_found") throw error;
  console.log("No member has this card.");
}

function printReceipt({ kind, item, state, answer, problem }) {
  console.log(`Receipt ${item.ReceiptNumber} (${kind})`);
  if (state === "queued") return console.log("  Kept here: it is sent when the network is back. Points follow.");
  if (state === "refused") return console.log(`  Refused: ${wordsOf(problem)}`);
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
  ...(shop ? { OriginalIdShop: shop } : {}),
  ...(code ? { OriginalClaimCode: code } : {}),
  ...(paid ? { OriginalAmount: paid, OriginalDay: day ?? dayOf(new Date()) } : {}),
  ...(card ? { CardNumber: card, EntryMode: "scanned" } : {}),
});

async function giveBack({ of, line = [], ...proof }) {
  const lines = line.map((text) => {
    const [Line, Amount] = text.split(":");
    return { Line, ...(Amount ? { Amount } : {}) };
  });
  const back = write("return", {
    ReceiptNumber: nextNumber(),
    OriginalReceiptNumber: of,
    SoldAt: now(),
    ...proofOf(proof),
    ...(lines.length > 0 ? { Lines: JSON.stringify(lines) } : {}),
  });
  await sendQueue();
  printReceipt(back);
}

/** A void is no item of a batch, and a sale that is still queued is not known there: the queue goes first. */
async function cancel({ of }) {
  if (!(await sendQueue())) throw new Error("A void needs the network.");
  const answer = await call("void", { ReceiptNumber: of });
  const known = journal.receipts.find(({ kind, item }) => kind === "void" && item.ReceiptNumber === of);
  const receipt = known ?? write("void", { ReceiptNumber: of });
  settle(receipt, answer);
  printReceipt(receipt);
}

/** What this till took. A refused sale counts, and the difference shows it. A void counts as a return. */
function totalsOf(day) {
  const ofDay = journal.receipts.filter((receipt) => receipt.day === day);
  const sales = ofDay.filter(({ kind }) => kind === "purchase");
  const returns = ofDay.filter(({ kind }) => kind !== "purchase");
  const paid = ({ item, answer }) =>
    answer ? sum(answer.Lines, ({ Paid }) => Paid) : sum(JSON.parse(item.Lines), ({ Amount }) => Amount);
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
  if (!(await sendQueue())) throw new Error(`${queued().length} receipts still wait: close when they are sent.`);
  const { Differences } = await call("close", { Day: day, ...totalsOf(day) });
  for (const { Total, Till, Cercle } of Differences) console.log(`${Total}: ${Till} here, ${Cercle} at Cercle`);
  if (Differences.length === 0) console.log(`${day}: no differences`);
  const { Conflicts } = await call("report", { Day: day }, "GET");
  for (const { ReceiptNumber, Reason } of Conflicts) console.log(`${ReceiptNumber}: ${Reason}`);
}

async function send() {
  const before = queued();
  const isEmpty = await sendQueue();
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
  if (!key) throw new Error("CERCLE_KEY is missing.");
  await command(values);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
