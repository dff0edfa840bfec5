import { parseArgs } from "node:util";
import { CommandRefused } from "#commands/command.server.ts";
import { addClient, disableClient, isAllowedUri, listClients, rotateClientSecret } from "#oidc/clients.server.ts";
import type { Queries } from "#platform/database/database.server.ts";

const usage = `Usage:
  npm run client -- add NAME REDIRECT_URI… [--public] [--first-party] [--logout-uri URI]… [--back-channel-logout URI]
  npm run client -- list
  npm run client -- rotate ID
  npm run client -- disable ID`;

/** Web shops and apps at which customers sign in with their account here. The last line of `add` and `rotate` is the secret alone. */
export async function manageClients(queries: Queries, words: string[]): Promise<string[]> {
  const [verb, ...rest] = words;
  if (verb === "add") return add(queries, rest);
  if (verb === "list" && rest.length === 0) return list(queries);
  const [id] = rest;
  if (!id || rest.length > 1) throw new CommandRefused(usage);
  if (verb === "rotate") {
    const secret = await rotateClientSecret(queries, id);
    if (!secret) throw new CommandRefused(`There is no client ${id} with a secret.`);
    return [`The secret of ${id} is a new one; the one before no longer works. It is shown only now:`, secret];
  }
  if (verb === "disable") {
    if (!(await disableClient(queries, id))) throw new CommandRefused(`There is no client ${id}.`);
    return [`${id} is disabled, and everyone it had signed in is signed out there.`];
  }
  throw new CommandRefused(usage);
}

async function add(queries: Queries, words: string[]): Promise<string[]> {
  const { values, positionals } = readWords(words);
  const [name, ...redirectUris] = positionals;
  if (!name || redirectUris.length === 0) throw new CommandRefused(usage);
  const { public: isPublic, "first-party": firstParty, "logout-uri": logoutUris } = values;
  const backChannelLogoutUri = values["back-channel-logout"];
  const uris = [...redirectUris, ...logoutUris];
  for (const uri of uris) if (!isAllowedUri(uri, isPublic)) throw new CommandRefused(`${uri} cannot be used: ${rule}`);
  if (backChannelLogoutUri !== undefined && !isAllowedUri(backChannelLogoutUri, false))
    throw new CommandRefused(`${backChannelLogoutUri} cannot be used: ${rule}`);
  const { id, secret } = await addClient(queries, {
    ...{ name, redirectUris, isPublic, firstParty, logoutUris, backChannelLogoutUri },
  });
  if (secret === undefined) return [`${name} was added. It has no secret; its id:`, id];
  return [`${name} was added. Its id: ${id}`, "Its secret is shown only now:", secret];
}

function readWords(words: string[]) {
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        public: { type: "boolean", default: false },
        "first-party": { type: "boolean", default: false },
        "logout-uri": { type: "string", multiple: true, default: [] },
        "back-channel-logout": { type: "string" },
      },
    });
  } catch {
    throw new CommandRefused(usage);
  }
}

const rule =
  "an https address without a fragment, on this machine also http, and for a public client an address of the app's own scheme.";

async function list(queries: Queries): Promise<string[]> {
  const clients = await listClients(queries);
  if (clients.length === 0) return ["There is no client."];
  return clients.map(({ id, name, firstParty, metadata, disabledAt }) =>
    [
      id,
      name,
      firstParty ? "first party" : "asks for consent",
      disabledAt ? "disabled" : metadata.redirect_uris.join(" "),
    ].join("  "),
  );
}
