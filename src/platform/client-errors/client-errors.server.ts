import { z } from "zod";
import { barePath } from "#i18n/locale.ts";
import { apiModule } from "#platform/api/api-module.server.ts";
import { endpoint, fieldTypes, localeFields } from "#platform/api/endpoint.server.ts";
import { type CreateLimit, clientNetwork, countAll } from "#platform/limits/limits.server.ts";
import type { Log } from "#platform/log.server.ts";
import { reportClientError } from "./report-errors.ts";

const contract = {
  [reportClientError]: endpoint({
    summary: "An error in a browser that no code of ours has caught; for the log and the metrics.",
    access: "anyone",
    input: z.object({
      Message: fieldTypes.text(2_000),
      Stack: fieldTypes.text(20_000).optional(),
      Page: fieldTypes.text(500).optional().describe("The path of the page"),
      Release: fieldTypes.text(100).optional().describe("The release that the page came from"),
      ...localeFields,
    }),
    response: z.object({}),
    refusals: ["too_many"],
  }),
};

/** Where an error happened; `other`: in the code of others, such as a browser's extension. */
export type ErrorPage = "pages" | "till" | "office" | "other";

/** However many clients report: the log must not be flooded. Beyond this, errors are only counted. */
const maxLinesPerMinute = 30;
const maxMessageLength = 200;
const maxFrames = 5;

/** Writes errors of browsers to the log, as one line each without anything personal, and counts them. */
export function clientErrorModule(deps: {
  createLimit: CreateLimit;
  log: Log;
  onError?: ((page: ErrorPage) => void) | undefined;
}) {
  const limit = deps.createLimit("client-error", { points: 20, seconds: 600 });
  let minute = 0;
  let lines = 0;

  function mayLog(now: Date): boolean {
    const current = Math.floor(now.getTime() / 60_000);
    if (current !== minute) lines = 0;
    minute = current;
    lines += 1;
    return lines <= maxLinesPerMinute;
  }

  return apiModule(contract, {
    async [reportClientError]({ input, address, requestId, now }) {
      return limit.attempt(clientNetwork(address), countAll, async () => {
        const { Message, Stack = "", Page = "", Release = "" } = input;
        const frames = [...Stack.matchAll(/\/assets\/([\w.-]+\.js:\d+:\d+)/g)].map(([, frame]) => frame);
        const isOurs = Stack === "" || frames.length > 0;
        const page = scrubPath(Page);
        deps.onError?.(isOurs ? pageKind(page) : "other");
        if (isOurs && mayLog(now))
          deps.log.warn(
            {
              ...{ requestId, page, message: scrub(Message), frames: frames.slice(0, maxFrames) },
              ...(/^[\w.+-]{1,60}$/.test(Release) && { pageRelease: Release }),
            },
            "client error",
          );
        return {};
      });
    },
  });
}

/** One line without what may be personal: quoted values, addresses and numbers. Names of code in single quotes stay. */
function scrub(message: string): string {
  return message
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .replace(/"[^"]*"?/g, "…")
    .replace(/'[^']*'?/g, (quoted) => (/^'[\w$.]+'$/.test(quoted) ? quoted : "…"))
    .split(" ")
    .map((word) => (/@|:\/\//.test(word) ? "…" : word.replace(/\d{3,}/g, "…")))
    .join(" ")
    .slice(0, maxMessageLength);
}

/** The path without ids, tokens and whatever else is no name of a page. */
function scrubPath(path: string): string {
  const [bare = ""] = path.split(/[?#]/, 1);
  const segments = bare.split("/").slice(0, 8);
  return segments.map((segment) => (/^[a-zA-Z-]{0,24}$/.test(segment) ? segment : "…")).join("/");
}

function pageKind(page: string): ErrorPage {
  const [, first] = barePath(page).split("/");
  return first === "till" || first === "office" ? first : "pages";
}
