import { measureBetterAuth } from "./better-auth.ts";
import { type OpenFresh, withCluster } from "./cluster.ts";
import { measureCustomer } from "./customer.ts";
import { measureGrowth } from "./growth.ts";
import { measureHistory } from "./history.ts";
import { measureMailing } from "./mailing.ts";
import { isKept, type Result } from "./measures.ts";
import { measureMove } from "./move.ts";
import { measureObtaining } from "./obtaining.ts";
import { measureOffice } from "./office.ts";
import { measureOidc } from "./oidc.ts";
import { measureRendering } from "./rendering.ts";
import { keep, print } from "./report.ts";
import { measureMonthEndOf, measureReports } from "./reports.ts";
import { measureSearch } from "./search.ts";
import { measureSegments } from "./segments.ts";
import { measureShop } from "./shop.ts";

/** `members=…` and `seconds=…` on the command line. */
interface Options {
  members?: number;
  seconds?: number;
}

const parts: Record<string, (fresh: OpenFresh, options: Options) => Promise<Result[]>> = {
  history: async (fresh) => measureHistory(await fresh()),
  rendering: async (fresh) => measureRendering(await fresh()),
  obtaining: async (fresh) => measureObtaining(await fresh()),
  segments: async (fresh) => measureSegments(await fresh(), 60_000),
  "segments-million": async (fresh) => measureSegments(await fresh(), 1_000_000),
  shop: async (fresh) => measureShop(await fresh()),
  customer: async (fresh) => measureCustomer(await fresh()),
  oidc: async (fresh) => measureOidc(await fresh()),
  "better-auth": async (fresh) => measureBetterAuth(await fresh(), await fresh({ empty: true })),
  office: (fresh) => measureOffice(fresh, 1_000, 100_000),
  growth: (fresh) => measureGrowth(fresh, 1_000, 100_000),
  move: (fresh) => measureMove(fresh, 10_000),
  "move-million": (fresh) => measureMove(fresh, 100_000),
  mailing: async (fresh, { members = 100_000, seconds = 120 }) => measureMailing(await fresh(), { members, seconds }),
  "mailing-million": async (fresh, { seconds = 120 }) => measureMailing(await fresh(), { members: 1_000_000, seconds }),
  reports: (fresh, { members = 100_000 }) => measureReports(fresh, members, 100_000),
  "reports-million": (fresh, { members = 1_000_000 }) => measureMonthEndOf(fresh, members),
  million: (fresh) => measureGrowth(fresh, 1_000, 1_000_000),
  "office-million": (fresh) => measureOffice(fresh, 1_000, 1_000_000),
  "search-million": async (fresh) => measureSearch(await fresh(), 1_000_000),
};
/** They take too long to run by default. */
const onlyByName = [
  "mailing",
  "mailing-million",
  "move",
  "move-million",
  "reports",
  "reports-million",
  "million",
  "office-million",
  "segments-million",
  "search-million",
];

/** True when every limit was kept. */
export async function runParts(words: string[]): Promise<boolean> {
  const options: Options = {};
  for (const word of words) {
    const [, name, number] = /^(members|seconds)=(\d+)$/.exec(word) ?? [];
    if (name) options[name as keyof Options] = Number(number);
  }
  const names = words.filter((word) => word !== "keep" && !word.includes("="));
  const unknown = names.find((name) => !(name in parts));
  if (unknown) throw new Error(`There is no part ${unknown}; there are ${Object.keys(parts).join(", ")}.`);
  let kept = true;
  await withCluster(async (fresh) => {
    for (const [name, measure] of Object.entries(parts)) {
      if (names.length > 0 ? !names.includes(name) : onlyByName.includes(name)) continue;
      const results = await measure(fresh, options);
      for (const result of results) print(result);
      if (words.includes("keep")) keep(name, results);
      kept &&= results.every(isKept);
    }
  });
  return kept;
}
