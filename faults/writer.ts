import { randomUUID } from "node:crypto";

type Fields = Record<string, string>;

/** A client that records each write before it sends it, and the response after it. */
export async function createWriter(site: string, number: number) {
  const prefix = `faults-${number}-${randomUUID().slice(0, 8)}`;
  const pending = new Set<string>();
  const responses = new Map<string, string>();
  const people: string[] = [];
  const faults: string[] = [];
  /** Sales and returns by their receipt number: what was sent, and the first response. */
  const unanswered = new Map<string, { path: string; fields: Fields }>();
  const receipts = new Map<string, string>();
  let sold: string | undefined;
  let till: { key: string; card: string } | undefined;
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

  /** A sale or a return: its receipt number makes a retry idempotent, for good. */
  async function post(number: string): Promise<void> {
    const sent = unanswered.get(number);
    if (!sent || !till) return;
    const body = await send("POST", sent.path, sent.fields, { authorization: `Bearer ${till.key}` });
    if (!body) return;
    unanswered.delete(number);
    if (!receipts.has(number)) counts.acknowledged += 1;
    receipts.set(number, body);
    if (sent.path === "shop/purchase") sold = number;
    // At once once more: the same number gets the same answer.
    const again = await send("POST", sent.path, sent.fields, { authorization: `Bearer ${till.key}` });
    if (again !== undefined && again !== body) faults.push("the same receipt was answered differently");
  }

  async function sellOrTakeBack(n: number): Promise<void> {
    const number = `${prefix}-${n}-${randomUUID().slice(0, 8)}`.slice(0, 40);
    const now = Date.now();
    // Spread over days, since more than five purchases in a day wait for a person.
    const SoldAt = new Date(now - (n % 40) * 24 * 3_600_000).toISOString();
    const SentAt = new Date(now).toISOString();
    const fields: Fields =
      n % 5 === 3 || !sold
        ? { ReceiptNumber: number, CardNumber: till?.card ?? "", SoldAt, SentAt, Amount: "25.00" }
        : { ReceiptNumber: number, OriginalReceiptNumber: sold };
    unanswered.set(number, { path: fields["Amount"] ? "shop/purchase" : "shop/return", fields });
    if (!fields["Amount"]) sold = undefined;
    await post(number);
  }

  async function writeOne(n: number): Promise<void> {
    counts.intended += 1;
    if (n % 5 > 2) return sellOrTakeBack(n);
    if (n % 5 === 0) {
      const key = randomUUID();
      pending.add(key);
      return obtain(key);
    }
    if (n % 5 === 1) {
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
    /** The key of a shop, and the client's own card: from now on it also sells and takes back. */
    openTill(key: string, card: string): void {
      till = { key, card };
    },
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
      for (let tries = 0; unanswered.size > 0 && tries < 50; tries += 1)
        for (const number of [...unanswered.keys()]) {
          counts.repeated += 1;
          await post(number);
        }
      if (unanswered.size > 0) faults.push(`${unanswered.size} receipts were never answered`);
      if (pending.size > 0) faults.push(`${pending.size} keys were never answered`);
      if (last) await obtain(last);
      // Requests sent before the fault have ended by now: the current name is the acknowledged one from here on.
      const customer = await fetch(`${site}/api/customer`, { headers: { authorization } }).then((r) => r.json());
      const now = Number(customer.Lastname);
      if (now < name.acknowledged || now > name.intended) faults.push("an acknowledged change of name is lost");
      name = { ...name, acknowledged: now };
    },
    codes: () => [...responses.values()].map((body): string => JSON.parse(body).CustomerReward.Code),
    receipts: () => [...receipts.keys()],
    registered: () => people,
    mayBeCalled: (lastname: string) => Number(lastname) >= name.acknowledged && Number(lastname) <= name.intended,
    faults: () => faults,
    counts: () => counts,
  };
}

export type Writer = Awaited<ReturnType<typeof createWriter>>;
