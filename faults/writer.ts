import { randomUUID } from "node:crypto";

type Fields = Record<string, string>;

/** A client that records each write before it sends it, and the response after it. */
export async function createWriter(site: string, number: number) {
  const prefix = `faults-${number}-${randomUUID().slice(0, 8)}`;
  const pending = new Set<string>();
  const responses = new Map<string, string>();
  const people: string[] = [];
  const faults: string[] = [];
  const counts = { intended: 0, acknowledged: 0, refused: 0, repeated: 0 };
  let name = { acknowledged: 0, intended: 0 };
  let writing = false;

  const person = (Email: string): Fields => ({
    ...{ Email, Password: "secret-42", Firstname: "Faute", Lastname: "0", Birthday: "1990-05-17" },
    LoyaltySubscribe: "true",
  });

  /** The body of a 200; undefined without a response, or with 503. */
  async function send(method: string, path: string, fields: Fields, headers: Fields = {}): Promise<string | undefined> {
    try {
      const response = await fetch(`${site}/api/${path}`, { method, headers, body: new URLSearchParams(fields) });
      const body = await response.text();
      if (response.status === 200) return body;
      // The retry of a registration that was stored but not acknowledged is refused as email_taken.
      if (response.status === 409 && path === "customer") return undefined;
      if (response.status !== 503) faults.push(`${path} answered ${response.status}`);
      else counts.refused += 1;
      if (response.status === 503 && !response.headers.get("retry-after"))
        faults.push(`${path} answered 503 without Retry-After`);
    } catch {
      // The connection broke: the client cannot know whether the write happened.
    }
    return undefined;
  }

  const first = await send("POST", "customer", person(`${prefix}@exemple.fr`));
  if (!first) throw new Error("The first registration was not answered.");
  const { Token, Customer } = JSON.parse(first).AuthData;
  const authorization = `Bearer ${Token}`;

  async function obtain(key: string): Promise<void> {
    const body = await send(
      "POST",
      "loyalty/reward/1/obtain",
      { IdLoyaltyReward: "1" },
      { authorization, "idempotency-key": key },
    );
    if (!body) return;
    pending.delete(key);
    const before = responses.get(key);
    if (before === undefined) counts.acknowledged += 1;
    else if (before !== body) faults.push("the same key was answered differently");
    responses.set(key, body);
  }

  async function writeOne(n: number): Promise<void> {
    counts.intended += 1;
    if (n % 3 === 0) {
      const key = randomUUID();
      pending.add(key);
      return obtain(key);
    }
    if (n % 3 === 1) {
      name = { ...name, intended: name.intended + 1 };
      const wanted = name.intended;
      const fields = { Firstname: "Faute", Lastname: String(wanted) };
      if (!(await send("PUT", "customer", fields, { authorization }))) return;
      name = { ...name, acknowledged: wanted };
    } else {
      const email = `${prefix}-${n}-${randomUUID().slice(0, 8)}@exemple.fr`;
      if (!(await send("POST", "customer", person(email)))) return;
      people.push(email);
    }
    counts.acknowledged += 1;
  }

  return {
    customerId: Number(Customer.IdCustomer),
    prefix,
    /** Writes until `pause`. */
    async write(): Promise<void> {
      writing = true;
      for (let n = 0; writing; n += 1) await writeOne(n);
    },
    pause(): void {
      writing = false;
    },
    /** Retries with the same idempotency keys: those without a response until they have one, and the last that has one. */
    async settle(): Promise<void> {
      const last = [...responses.keys()].at(-1);
      for (let tries = 0; pending.size > 0 && tries < 50; tries += 1)
        for (const key of [...pending]) {
          counts.repeated += 1;
          await obtain(key);
        }
      if (pending.size > 0) faults.push(`${pending.size} keys were never answered`);
      if (last) await obtain(last);
      // Requests sent before the fault have ended by now: the current name is the acknowledged one from here on.
      const customer = await fetch(`${site}/api/customer`, { headers: { authorization } }).then((r) => r.json());
      const now = Number(customer.Lastname);
      if (now < name.acknowledged || now > name.intended) faults.push("an acknowledged change of name is lost");
      name = { ...name, acknowledged: now };
    },
    codes: () => [...responses.values()].map((body): string => JSON.parse(body).CustomerReward.Code),
    registered: () => people,
    mayBeCalled: (lastname: string) => Number(lastname) >= name.acknowledged && Number(lastname) <= name.intended,
    faults: () => faults,
    counts: () => counts,
  };
}

export type Writer = Awaited<ReturnType<typeof createWriter>>;
