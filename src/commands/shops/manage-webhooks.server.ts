import { CommandRefused } from "#commands/command.server.ts";
import type { Queries } from "#platform/database/database.server.ts";
import { refusesUrl } from "#shop/webhooks/delivery/addresses.server.ts";
import {
  addEndpoint,
  disableEndpoint,
  listEndpoints,
  resendEvents,
  rotateSecret,
  sendTest,
} from "#shop/webhooks/endpoints.server.ts";
import type { Secrets } from "#shop/webhooks/secrets.server.ts";

const usage = `Usage:
  npm run webhook -- add URL OWNER_EMAIL
  npm run webhook -- list
  npm run webhook -- test ID
  npm run webhook -- rotate ID
  npm run webhook -- resend EVENT_ID[..EVENT_ID]
  npm run webhook -- disable ID`;

interface Dependencies {
  queries: Queries;
  secrets: Secrets;
  sandbox: boolean;
  now: Date;
}

/** Endpoints of webhooks, as an operator types them. The last line of `add` and `rotate` is the secret alone. */
export async function manageWebhooks(deps: Dependencies, words: string[]): Promise<string[]> {
  const [verb, ...rest] = words;
  if (verb === "add" && rest.length === 2) return add(deps, rest[0] ?? "", rest[1] ?? "");
  if (verb === "list" && rest.length === 0) return list(deps);
  if (verb === "test" && rest.length === 1) return test(deps, idOf(rest[0]));
  if (verb === "rotate" && rest.length === 1) return rotate(deps, idOf(rest[0]));
  if (verb === "resend" && rest.length === 1) return resend(deps, rest[0] ?? "");
  if (verb === "disable" && rest.length === 1) return disable(deps, idOf(rest[0]));
  throw new CommandRefused(usage);
}

function idOf(word: string | undefined): number {
  if (!word || !/^[1-9]\d{0,8}$/.test(word)) throw new CommandRefused(usage);
  return Number(word);
}

async function add(
  { queries, secrets, sandbox, now }: Dependencies,
  address: string,
  ownerEmail: string,
): Promise<string[]> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || refusesUrl(url, { sandbox }))
    throw new CommandRefused(
      "URL must be an https address without a password that is not of a private network. On the sandbox http and this machine work too.",
    );
  if (!/^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+$/.test(ownerEmail))
    throw new CommandRefused("OWNER_EMAIL must be one address.");
  const { id, secret } = await addEndpoint(queries, secrets, { url, ownerEmail, now });
  return [`Endpoint ${id} was added. Its secret is shown only now:`, secret];
}

async function list({ queries }: Dependencies): Promise<string[]> {
  const all = await listEndpoints(queries);
  if (all.length === 0) return ["There is no endpoint."];
  return all.map(({ id, url, ownerEmail, disabledBecause, waiting, dead }) => {
    const reasons = { owner: "disabled", gone: "disabled: it answered 410" };
    const state = disabledBecause ? reasons[disabledBecause] : "enabled";
    return `${id}  ${url}  ${ownerEmail}  ${state}  ${waiting} waiting, ${dead} dead`;
  });
}

async function test({ queries }: Dependencies, id: number): Promise<string[]> {
  if (!(await sendTest(queries, id))) throw new CommandRefused(`There is no endpoint ${id} that is enabled.`);
  return ["webhook.test is on its way."];
}

async function rotate({ queries, secrets, now }: Dependencies, id: number): Promise<string[]> {
  const secret = await rotateSecret(queries, secrets, id, now);
  if (!secret) throw new CommandRefused(`There is no endpoint ${id} that is enabled.`);
  return ["Both secrets sign for seven days. The new one is shown only now:", secret];
}

async function resend({ queries }: Dependencies, range: string): Promise<string[]> {
  // As lists show them, or as the header webhook-id does.
  const [, first, last] = /^(?:evt_)?([1-9]\d{0,14})(?:\.\.(?:evt_)?([1-9]\d{0,14}))?$/.exec(range) ?? [];
  if (!first) throw new CommandRefused(usage);
  const sent = await resendEvents(queries, Number(first), Number(last ?? first));
  if (sent === 0)
    throw new CommandRefused("There is no such event of the last 30 days, or no endpoint that is enabled.");
  return [`${sent} ${sent === 1 ? "delivery" : "deliveries"} queued.`];
}

async function disable({ queries, now }: Dependencies, id: number): Promise<string[]> {
  if (!(await disableEndpoint(queries, id, "owner", now)))
    throw new CommandRefused(`There is no endpoint ${id} that is enabled.`);
  return [`Endpoint ${id} was disabled: no more events are sent to it.`];
}
