import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

const writers = 4;

/**
 * Registrations and sales without a pause at both processes; each is noted when it was acknowledged. A sale without a
 * response is repeated, at the other process, until it has one, as a till does.
 */
export function createStream(sites, key) {
  const registered = [];
  const prefix = `strom-${Date.now()}`;
  /** Of each receipt that was acknowledged, the points that its response named. */
  const sold = new Map();
  const others = [];
  let refused = 0;
  let repeated = 0;
  let going = true;
  let number = 0;
  let lastAcknowledgedAt = Date.now();

  /** The body of a 200; undefined with 503 or without a response. */
  async function send(url, fields, token) {
    const { pathname } = new URL(url);
    try {
      const sent = request(url, {
        // A connection of its own: one that is reused may be closed as idle while it is written to.
        agent: false,
        method: fields ? "POST" : "GET",
        headers: {
          ...(fields && { "content-type": "application/x-www-form-urlencoded" }),
          ...(token && { authorization: `Bearer ${token}` }),
        },
      });
      sent.end(fields && String(new URLSearchParams(fields)));
      const [response] = await once(sent, "response");
      const body = await text(response);
      if (response.statusCode === 200) {
        if (fields) lastAcknowledgedAt = Date.now();
        return JSON.parse(body);
      }
      if (response.statusCode === 503 && response.headers["retry-after"]) refused += 1;
      else others.push(`${pathname} ${response.statusCode}`);
    } catch (error) {
      others.push(`${pathname} ${error}`);
    }
    return undefined;
  }

  async function write(n) {
    const api = (tries) => `${sites[(n + tries) % sites.length]}/api`;
    while (going) {
      number += 1;
      const own = number;
      const Email = `${prefix}-${own}@exemple.fr`;
      const person = {
        Email,
        Password: "secret-42",
        Firstname: "Fleur",
        Lastname: "Fluss",
        Birthday: "1990-05-17",
        LoyaltySubscribe: "true",
      };
      const body = await send(`${api(0)}/customer`, person);
      if (body) {
        registered.push(Email);
        await sell(api, `${prefix}-${own}`, body.AuthData.Token);
      }
      await sleep(50);
    }
  }

  async function sell(api, ReceiptNumber, token) {
    const SoldAt = new Date().toISOString();
    let card;
    for (let tries = 0; ; tries += 1) {
      card ??= (await send(`${api(tries)}/loyalty/customer`, undefined, token))?.Card.Number;
      const fields = { ReceiptNumber, CardNumber: card, SoldAt, SentAt: new Date().toISOString(), Amount: "25.00" };
      const receipt = card && (await send(`${api(tries)}/shop/purchase`, fields, key));
      if (receipt) return void sold.set(ReceiptNumber, receipt.Points.Earned);
      if (card) repeated += 1;
      await sleep(250);
    }
  }
  const all = Array.from({ length: writers }, (_, n) => write(n));
  const acknowledged = () => registered.length + sold.size;

  return {
    /** Waits for this many more. */
    async acknowledged(count) {
      for (const wanted = acknowledged() + count; acknowledged() < wanted; ) await sleep(50);
    },
    /** Waits until writes have been acknowledged again after the kill; returns the longest pause between two. */
    async recovered(killedAt) {
      let before = killedAt;
      let longest = 0;
      let seen = acknowledged();
      for (let since = 0; since < 30; await sleep(20)) {
        if (acknowledged() === seen) continue;
        since += longest > 1_000 ? acknowledged() - seen : 0;
        seen = acknowledged();
        longest = Math.max(longest, lastAcknowledgedAt - before);
        before = lastAcknowledgedAt;
      }
      return longest;
    },
    async stop() {
      going = false;
      await Promise.all(all);
      return { registered: registered.length, sold: sold.size, repeated, refused, others };
    },
    /** What was acknowledged and is not there, and sales whose points are there other than once. */
    async faults(cluster) {
      const client = cluster.admin();
      await client.connect();
      const { rows: people } = await client.query(
        "select e from unnest($1::text[]) e where not exists (select from customer_email c where c.email = e)",
        [registered],
      );
      const { rows: sales } = await client.query(
        `select r.number, count(s.number) as sales, sum(s.points) as points
          from unnest($1::text[], $2::integer[]) r (number, earned)
          left join (
            select number, (select coalesce(sum(p.points), 0) from loyalty_pending p
                where p.cause = 'purchase:' || s.shop_id || ':' || s.number) as points
              from shop_sale s) s using (number)
          group by r.number, r.earned having count(s.number) <> 1 or sum(s.points) is distinct from r.earned`,
        [[...sold.keys()], [...sold.values()]],
      );
      await client.end();
      return [
        ...people.map(({ e }) => `the registration of ${e} is lost`),
        ...sales.map(({ number, sales, points }) => `the sale ${number} is there ${sales} times with ${points} points`),
      ];
    },
  };
}
