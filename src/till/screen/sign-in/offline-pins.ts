import { type OfflinePin, transact } from "#till/queue/database.ts";

/** Wrong PINs of a person on this device without a network; after that the network is needed. */
export const maxOfflineAttempts = 5;
/** OWASP's number for PBKDF2 with SHA-256. */
const fullCost = 600_000;

export type OfflinePerson = Pick<OfflinePin, "IdStaff" | "Name">;
type Person = OfflinePerson & { Locked: boolean; PinMark: string };

async function derive(pin: string, salt: Uint8Array<ArrayBuffer>, rounds: number): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(pin), "PBKDF2", false, ["deriveBits"]);
  const how = { name: "PBKDF2", hash: "SHA-256", salt, iterations: rounds };
  return new Uint8Array(await crypto.subtle.deriveBits(how, key, 256));
}

/** Called when the server has accepted the PIN: from now on this person can sign in here without a network. */
export async function rememberPin(
  { IdStaff, Name, PinMark }: Person,
  pin: string,
  iterations = fullCost,
): Promise<void> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const hash = await derive(pin, salt, iterations);
  const entry = { IdStaff, Name, PinMark, salt, iterations, hash, failedAttempts: 0 };
  await transact(["pin"], "readwrite", ({ store }) => store.put(entry));
}

/** The people who may sign in without a network. */
export async function listOfflinePeople(): Promise<OfflinePerson[]> {
  const all = await transact(["pin"], "readonly", ({ store }) => store.getAll());
  return all
    .filter(({ failedAttempts }) => failedAttempts < maxOfflineAttempts)
    .map(({ IdStaff, Name }) => ({ IdStaff, Name }))
    .sort((a, b) => a.Name.localeCompare(b.Name));
}

/** The attempt is stored before the PIN is looked at: a reload brings no further one. */
export async function checkOfflinePin(
  idStaff: number,
  pin: string,
): Promise<"right" | "wrong" | "last_try" | "used_up"> {
  const entry = await transact(["pin"], "readwrite", async ({ store }) => {
    const known = await store.get(idStaff);
    if (!known || known.failedAttempts >= maxOfflineAttempts) return undefined;
    const tried = { ...known, failedAttempts: known.failedAttempts + 1 };
    await store.put(tried);
    return tried;
  });
  if (!entry) return "used_up";
  const hash = await derive(pin, entry.salt, entry.iterations);
  if (hash.some((byte, place) => byte !== entry.hash[place])) {
    const left = maxOfflineAttempts - entry.failedAttempts;
    return left === 0 ? "used_up" : left === 1 ? "last_try" : "wrong";
  }
  await transact(["pin"], "readwrite", ({ store }) => store.put({ ...entry, failedAttempts: 0 }));
  return "right";
}

/** What the server says about staff holds at once: who has left, is locked or has another PIN is forgotten here. */
export async function keepOfflinePins(staff: readonly Person[]): Promise<void> {
  await transact(["pin"], "readwrite", async ({ store }) => {
    for (const { IdStaff, PinMark } of await store.getAll()) {
      const known = staff.find((one) => one.IdStaff === IdStaff);
      if (!known || known.Locked || known.PinMark !== PinMark) await store.delete(IdStaff);
    }
  });
}

export async function forgetOfflinePin(idStaff: number): Promise<void> {
  await transact(["pin"], "readwrite", ({ store }) => store.delete(idStaff));
}
