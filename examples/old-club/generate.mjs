// Writes the package of a club as another shop system would export it, with the damage that spreadsheets do.
// `node examples/old-club/generate.mjs FOLDER [--members 1000] [--damaged]`. The same number gives the same package.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder, ...options] = process.argv.slice(2);
const option = (name) => options[options.indexOf(name) + 1];
const members = options.includes("--members") ? Number(option("--members")) : 1_000;
const damaged = options.includes("--damaged");
if (!folder || !Number.isInteger(members) || members < 1) {
  console.error("Usage: node examples/old-club/generate.mjs FOLDER [--members N] [--damaged]");
  process.exit(1);
}
mkdirSync(folder, { recursive: true });

/** Numbers that look random and are the same each time (mulberry32). */
let state = 20_261_116;
function random(below) {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below);
}
const pick = (list) => list[random(list.length)];
const two = (number) => String(number).padStart(2, "0");
const takenAt = "2026-11-16T21:00:00+01:00";
const day = (year) => `${year}-${two(1 + random(12))}-${two(1 + random(28))}`;
const moment = (year) => `${day(year)}T${two(8 + random(12))}:${two(random(60))}:00Z`;

const firstnames = ["Camille", "Léa", "Hugo", "Zoë", "Jules", "Inès", "Noé", "Chloé", "Max", "Élise", "Tom", "Anaïs"];
const lastnames = [
  "Martin",
  "Bernard",
  "Lefèvre",
  "Durand",
  "Moreau",
  "Girard",
  "d'Ornano",
  "Müller",
  "Le Gall",
  "Petit",
];
const shops = ["Lyon", "Paris, Marais", "Nantes", "Bruxelles"];

/** One file: rows are written as they are made, and hashed on the way. */
function createFile(name, columns) {
  const stream = createWriteStream(join(folder, `${name}.csv`));
  const digest = createHash("sha256");
  let rows = 0;
  let waiting = "";
  const flush = async () => {
    digest.update(waiting);
    const more = stream.write(waiting);
    waiting = "";
    if (!more) await once(stream, "drain");
  };
  const cell = (value) => (/[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? ""));
  const line = (values) => `${values.map(cell).join(",")}\n`;
  waiting += line(columns);
  return {
    async add(...values) {
      waiting += line(values);
      rows += 1;
      if (waiting.length > 65_536) await flush();
    },
    async end() {
      await flush();
      stream.end();
      await once(stream, "finish");
      return [`${name}.csv`, { Rows: rows, Sha256: digest.digest("hex") }];
    },
  };
}

const files = {
  members: createFile("members", [
    "SourceId",
    "Email",
    "Firstname",
    "Lastname",
    "Civility",
    "Birthday",
    "MobilePhone",
    "Language",
    "CreatedAt",
    "EmailVerified",
    "LastActiveAt",
    "PasswordHash",
    "PasswordFormat",
    "Newsletter",
    "NewsletterAt",
    "ConsentText",
    "JoinedAt",
    "Status",
    "StatusUntil",
    "WelcomeGiven",
  ]),
  cards: createFile("cards", ["SourceId", "CardNumber", "IssuedAt", "Main"]),
  lots: createFile("lots", ["SourceId", "LotId", "Points", "EarnedAt", "ExpiresAt", "AvailableAt", "Kind"]),
  history: createFile("history", ["SourceId", "EntryId", "At", "Points", "Text"]),
  vouchers: createFile("vouchers", ["SourceId", "Code", "Amount", "IssuedAt", "ExpiresAt", "MinimumBasket"]),
};
const totals = {
  Members: 0,
  PointsAvailable: 0,
  PointsByExpiryMonth: {},
  VouchersOpen: 0,
  Newsletter: 0,
  NewsletterSms: 0,
};
let voucherCents = 0;
/** bcrypt of "atelier2026", made with PHP's password_hash at cost 10: every member has this password. */
const bcrypt = "$2y$10$48fQE5YZicDEYo0kX3waT.XTD6QRUuAmj7Zw0ja7.3zk.GGxUIApy";

for (let index = 1; index <= members; index += 1) {
  const id = `M-${String(index).padStart(7, "0")}`;
  const spoiled = damaged && index % 97 === 0 ? (index / 97) % 8 : 0;
  const firstname = pick(firstnames);
  const lastname = pick(lastnames);
  const newsletter = random(10) < 6;
  const status = random(100) < 15 ? "Soie" : random(100) < 4 ? "Cachemire" : "";
  const joined = random(100) < 88;
  const email =
    spoiled === 1 ? `${index}@@example.com` : spoiled === 2 ? "member1@example.com" : `member${index}@example.com`;
  await files.members.add(
    id,
    email,
    spoiled === 3 ? '=HYPERLINK("http://example.com")' : firstname,
    lastname,
    pick(["M", "Mme", ""]),
    spoiled === 4 ? "2041-01-01" : day(1950 + random(55)),
    spoiled === 5 ? "6,12E+08" : `+336${String(10_000_000 + index).slice(-8)}`,
    pick(["fr", "fr", "en", "de"]),
    moment(2019 + random(5)),
    1,
    moment(2025),
    bcrypt,
    "bcrypt",
    newsletter ? 1 : 0,
    newsletter && spoiled !== 6 ? moment(2024) : "",
    newsletter ? "Oui, je veux la lettre" : "",
    joined ? moment(2019 + random(6)) : "",
    joined ? status : "",
    joined && status ? `2027-${two(1 + random(12))}-20` : "",
    joined ? 1 : 0,
  );
  if (newsletter) totals.Newsletter += 1;
  if (!joined) continue;
  totals.Members += 1;
  await files.cards.add(id, spoiled === 7 ? "4.18E+11" : `AT${String(index).padStart(10, "0")}`, "", 0);
  for (let lot = 1; lot <= 5; lot += 1) {
    const points = 10 + random(400);
    const month = `${2027 + random(2)}-${two(1 + random(12))}`;
    await files.lots.add(
      id,
      `L${lot}`,
      points,
      moment(2025),
      `${month}-${two(2 + random(26))}T12:00:00Z`,
      "",
      pick(["Achat", "Parrainage", ""]),
    );
    totals.PointsAvailable += points;
    totals.PointsByExpiryMonth[month] = (totals.PointsByExpiryMonth[month] ?? 0) + points;
  }
  for (let entry = 1; entry <= 10; entry += 1)
    await files.history.add(id, String(entry), moment(2020 + random(6)), random(300) - 50, `Achat, ${pick(shops)}`);
  if (random(10) < 3) {
    const euros = pick([5, 10, 20]);
    await files.vouchers.add(
      id,
      `BON-${String(index).padStart(8, "0")}`,
      `${euros}.00`,
      moment(2025),
      moment(2027),
      random(2) ? "50.00" : "",
    );
    totals.VouchersOpen += 1;
    voucherCents += euros * 100;
  }
}

const Files = {};
for (const file of Object.values(files)) {
  const [name, about] = await file.end();
  Files[name] = about;
}
const Totals = { ...totals, VoucherAmountOpen: (voucherCents / 100).toFixed(2) };
const manifest = { Format: 1, Source: "old-club", TakenAt: takenAt, Currency: "EUR", Files, Totals };
writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
console.log(
  Object.entries(Files)
    .map(([name, { Rows }]) => `${name}: ${Rows} rows`)
    .join("\n"),
);
