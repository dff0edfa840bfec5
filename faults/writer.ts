import { randomUUID } from "node:crypto";

type Fields = Record<string, string>;

/** A client that notes what it means to write before it asks, and what it was told after. It believes nothing else. */
export async function createWriter(site: string, number: number) {
  const prefix = `faults-${number}-${randomUUID().slice(0, 8)}`;
  const open = new Map<string, "asked">();
  const answers = new Map<string, string>();
  const people: string[] = [];
  const complaints: string[] = [];
  const figures = { intended: 0, acknowledged: 0, refused: 0, repeated: 0 };
  let name = { acknowledged: 0, intended: 0 };
  let writing = false;

  const person = (Email: string): Fields => ({
    ...{ Email, Password: "secret-42", Firstname: "Faute", Lastname: "0", Birthday: "1990-05-17" },
    LoyaltySubscribe: "true",
  });

  /** The answer's words, or nothing when none came or it was "come back in a moment". */
  async function ask(method: string, path: string, fields: Fields, headers: Fields = {}): Promise<string | undefined> {
    try {
      const response = await fetch(`${site}/api/${path}`, { method, headers, body: new URLSearchParams(fields) });
      const words = await response.text();
      if (response.status === 200) return words;
      // A registration that was made but not acknowledged is taken when it is asked again.
      if (response.status === 409 && path === "customer") return undefined;
      if (response.status !== 503) complaints.push(`${path} answered ${response.status}`);
      else figures.refused += 1;
      if (response.status === 503 && !response.headers.get("retry-after"))
        complaints.push(`${path} answered 503 without Retry-After`);
    } catch {
      // The connection broke: whether it was written, the client cannot know.
    }
    return undefined;
  }

  const first = await ask("POST", "customer", person(`${prefix}@exemple.fr`));
  if (!first) throw new Error("The first registration was not answered.");
  const { Token, Customer } = JSON.parse(first).AuthData;
  const authorization = `Bearer ${Token}`;

  async function obtain(key: string): Promise<void> {
    const words = await ask(
      "POST",
      "loyalty/reward/1/obtain",
      { IdLoyaltyReward: "1" },
      { authorization, "idempotency-key": key },
    );
    if (!words) return;
    open.delete(key);
    const before = answers.get(key);
    if (before === undefined) figures.acknowledged += 1;
    else if (before !== words) complaints.push("the same key was answered differently");
    answers.set(key, words);
  }

  async function writeOne(n: number): Promise<void> {
    figures.intended += 1;
    if (n % 3 === 0) {
      const key = randomUUID();
      open.set(key, "asked");
      return obtain(key);
    }
    if (n % 3 === 1) {
      name = { ...name, intended: name.intended + 1 };
      const wanted = name.intended;
      const told = await ask("PUT", "customer", { Firstname: "Faute", Lastname: String(wanted) }, { authorization });
      if (!told) return;
      name = { ...name, acknowledged: wanted };
    } else {
      const email = `${prefix}-${n}-${randomUUID().slice(0, 8)}@exemple.fr`;
      if (!(await ask("POST", "customer", person(email)))) return;
      people.push(email);
    }
    figures.acknowledged += 1;
  }

  return {
    customerId: Number(Customer.IdCustomer),
    prefix,
    /** Writes without a pause until told to. */
    async write(): Promise<void> {
      writing = true;
      for (let n = 0; writing; n += 1) await writeOne(n);
    },
    pause(): void {
      writing = false;
    },
    /** Asks again, with the same keys: those without an answer until they have one, and the last that has one. */
    async settle(): Promise<void> {
      const last = [...answers.keys()].at(-1);
      for (let tries = 0; open.size > 0 && tries < 50; tries += 1)
        for (const key of [...open.keys()]) {
          figures.repeated += 1;
          await obtain(key);
        }
      if (open.size > 0) complaints.push(`${open.size} keys were never answered`);
      if (last) await obtain(last);
      // What was asked before the strike is decided by now: only the name that holds can be told from here on.
      const told = await fetch(`${site}/api/customer`, { headers: { authorization } }).then((r) => r.json());
      const now = Number(told.Lastname);
      if (now < name.acknowledged || now > name.intended) complaints.push("an acknowledged change of name is lost");
      name = { ...name, acknowledged: now };
    },
    codes: () => [...answers.values()].map((words): string => JSON.parse(words).CustomerReward.Code),
    registered: () => people,
    mayBeCalled: (lastname: string) => Number(lastname) >= name.acknowledged && Number(lastname) <= name.intended,
    complaints: () => complaints,
    figures: () => figures,
  };
}

export type Writer = Awaited<ReturnType<typeof createWriter>>;
