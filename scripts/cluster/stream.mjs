import { setTimeout as sleep } from "node:timers/promises";

const writers = 4;

/** Registrations without a pause at both processes; each is noted when it was acknowledged. */
export function createStream(sites) {
  const noted = [];
  const others = [];
  let refused = 0;
  let going = true;
  let number = 0;
  let lastAcknowledgedAt = Date.now();

  async function write(n) {
    while (going) {
      number += 1;
      const Email = `strom-${number}-${Date.now()}@exemple.fr`;
      const person = {
        Email,
        Password: "secret-42",
        Firstname: "Fleur",
        Lastname: "Fluss",
        Birthday: "1990-05-17",
        LoyaltySubscribe: "true",
      };
      try {
        const response = await fetch(`${sites[n % sites.length]}/api/customer`, {
          method: "POST",
          body: new URLSearchParams(person),
        });
        await response.text();
        if (response.status === 200) {
          noted.push(Email);
          lastAcknowledgedAt = Date.now();
        } else if (response.status === 503 && response.headers.get("retry-after")) refused += 1;
        else others.push(String(response.status));
      } catch (error) {
        others.push(String(error.cause ?? error));
      }
      await sleep(50);
    }
  }
  const all = Array.from({ length: writers }, (_, n) => write(n));

  return {
    /** Waits for this many more. */
    async acknowledged(count) {
      for (const wanted = noted.length + count; noted.length < wanted; ) await sleep(50);
    },
    /** Waits until writes have been acknowledged again after the kill; returns the longest pause between two. */
    async recovered(killedAt) {
      let before = killedAt;
      let longest = 0;
      let seen = noted.length;
      for (let since = 0; since < 30; await sleep(20)) {
        if (noted.length === seen) continue;
        since += longest > 1_000 ? noted.length - seen : 0;
        seen = noted.length;
        longest = Math.max(longest, lastAcknowledgedAt - before);
        before = lastAcknowledgedAt;
      }
      return longest;
    },
    async stop() {
      going = false;
      await Promise.all(all);
      return { acknowledged: noted.length, refused, others };
    },
    /** What was acknowledged and is not there. */
    async missing(cluster) {
      const client = cluster.admin();
      await client.connect();
      const { rows } = await client.query(
        "select e from unnest($1::text[]) e where not exists (select from customer_email c where c.email = e)",
        [noted],
      );
      await client.end();
      return rows.map(({ e }) => e);
    },
  };
}
