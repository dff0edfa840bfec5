import { sql } from "drizzle-orm";
import { shortName } from "#identity/customer/names.server.ts";
import { hashToken } from "#identity/session/tokens.server.ts";
import type { Database } from "#platform/database/database.server.ts";
import { hashOf } from "#shop/keys/keys.server.ts";
import { mayUnpair } from "#till/pairing/pairing.server.ts";
import { readDevice, readStaffToken } from "#till/sign-in/cookies.server.ts";
import { maxFailedAttempts } from "#till/sign-in/sign-in.server.ts";

/** As db/functions/till_call.sql has it. */
const idleSeconds = 180;

const unpaired = {
  ...{ Paired: false, Revoked: false, IdShop: null, ShopName: null, ShopCity: null, TillName: null },
  ...{ Staff: [], SignedIn: null, IdleSeconds: idleSeconds, FormerCodes: false },
};

interface Person {
  id: number;
  firstname: string;
  lastname: string;
}

interface State extends Record<string, unknown> {
  in_use: boolean;
  shop_id: number;
  shop_name: string;
  shop_city: string;
  till_name: string;
  people: (Person & { locked: boolean; mark: string; mayUnpair: boolean })[];
  signed_in: Person | null;
  former_codes: boolean;
}

/** What the till screen opens with, in one round trip. Reading it is no activity: it keeps no one signed in. */
export async function readState(database: Database, request: Request, now: Date) {
  const device = readDevice(request);
  if (!device) return unpaired;
  const at = sql`${now.toISOString()}::timestamptz`;
  const { rows } = await database.execute<State>(sql`
    select k.revoked_at is null and (k.ends_at is null or k.ends_at > ${at}) as in_use, k.shop_id, shop.name as shop_name, shop.city as shop_city, k.name as till_name,
      (select coalesce(json_agg(json_build_object(
          'id', p.id, 'firstname', p.firstname, 'lastname', p.lastname,
          -- The hash has a random salt that no till knows, so its digest tells nothing about the PIN.
          'mark', encode(substr(sha256(convert_to(p.pin_hash, 'UTF8')), 1, 6), 'hex'),
          'mayUnpair', ${mayUnpair},
          'locked', coalesce(m.failed_attempts >= ${maxFailedAttempts}, false)) order by p.firstname, p.lastname, p.id), '[]')
        from staff p left join till_pin_attempt m on m.staff_id = p.id and m.key_prefix = k.prefix
        where p.pin_hash is not null and p.ended_at is null and (p.shop_id is null or p.shop_id = k.shop_id)) as people,
      (select json_build_object('id', p.id, 'firstname', p.firstname, 'lastname', p.lastname)
        from till_session s join staff p on p.id = s.staff_id
        where s.key_prefix = k.prefix and s.token_hash = ${hashToken(readStaffToken(request) ?? "")}
          and s.seen_at > ${at} - make_interval(secs => ${idleSeconds}) and s.opened_at > ${at} - interval '12 hours'
          and p.ended_at is null) as signed_in,
      exists (select from move_member) as former_codes
    from shop_key k join shop on shop.id = k.shop_id
    where k.prefix = ${device.prefix} and k.secret_hash = ${hashOf(device.secret)} and k.kind = 'till'`);
  const [till] = rows;
  if (!till) return unpaired;
  // Of the shop and its people a device that is no till any more learns nothing.
  if (!till.in_use) return { ...unpaired, Revoked: true };
  return {
    Paired: true,
    Revoked: false,
    IdShop: till.shop_id,
    ShopName: till.shop_name,
    ShopCity: till.shop_city,
    TillName: till.till_name,
    Staff: till.people.map((person) => ({
      ...describe(person),
      Locked: person.locked,
      PinMark: person.mark,
      MayUnpair: person.mayUnpair,
    })),
    SignedIn: till.signed_in && describe(till.signed_in),
    IdleSeconds: idleSeconds,
    FormerCodes: till.former_codes,
  };
}

const describe = (person: Person) => ({ IdStaff: person.id, Name: shortName(person.firstname, person.lastname) });
