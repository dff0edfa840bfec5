import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { useTillState } from "./till-state.ts";

const alix = { IdStaff: 2, Name: "Alix M." };
const device = {
  ...{ Paired: true, Revoked: false, IdShop: 1, ShopName: "Le Marais", ShopCity: "Paris", TillName: "Caisse 2" },
  ...{ Staff: [{ ...alix, Locked: false, PinMark: "", MayUnpair: false }], IdleSeconds: 180, FormerCodes: false },
};

/** A server that knows who is signed in, and whose requests or responses can be held up on their way. */
let signedIn: typeof alix | null;
let onRequest: (path: string) => Promise<void> | undefined;
let onResponse: (path: string) => Promise<void> | undefined;
async function answer(input: RequestInfo | URL): Promise<Response> {
  const path = new URL(String(input), location.href).pathname.replace("/api/till/", "");
  await onRequest(path);
  if (path === "lock") signedIn = null;
  if (path === "sign-in") signedIn = alix;
  const response = Response.json(path === "state" ? { ...device, SignedIn: signedIn } : {});
  await onResponse(path);
  return response;
}

function Till() {
  const { state, lock, signIn, refresh } = useTillState();
  return (
    <>
      <p>{typeof state === "object" ? (state.SignedIn?.Name ?? "locked") : state}</p>
      <button type="button" onClick={lock}>
        lock
      </button>
      <button type="button" onClick={() => signIn({ IdStaff: alix.IdStaff, Pin: "482913" })}>
        sign in
      </button>
      <button type="button" onClick={refresh}>
        refresh
      </button>
    </>
  );
}

let root: Root;
beforeEach(async () => {
  signedIn = alix;
  onRequest = onResponse = () => undefined;
  vi.stubGlobal("fetch", vi.fn(answer));
  root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(<Till />);
  await expect.element(page.getByText(alix.Name)).toBeVisible();
});
afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  localStorage.clear();
});

function hold() {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release };
}
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
/** Everything that has been answered is on the screen. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 50));

test("an answer that was on its way when the till was locked does not open it again", async () => {
  const { held, release } = hold();
  onResponse = (path) => (path === "state" ? held : undefined);
  await press("refresh");
  onResponse = () => undefined;
  await press("lock");
  await expect.poll(() => signedIn).toBeNull();
  release();
  await settled();
  await expect.element(page.getByText("locked")).toBeVisible();
});

test("a PIN typed while the lock is still on its way opens the till, and it stays open", async () => {
  const { held, release } = hold();
  onRequest = (path) => (path === "lock" ? held : undefined);
  await press("lock");
  await expect.element(page.getByText("locked")).toBeVisible();
  await press("sign in");
  await settled();
  release();
  await expect.element(page.getByText(alix.Name)).toBeVisible();
  await settled();
  expect(signedIn).toEqual(alix);
  await expect.element(page.getByText(alix.Name)).toBeVisible();
});
