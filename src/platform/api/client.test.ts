import { expect, test, vi } from "vitest";
import { CallFailed, createCall } from "./client.ts";

const refusing = (status: number, body: unknown = { code: "not_found", detail: "Introuvable" }) => {
  const warn = vi.fn();
  const call = createCall(async () => new Response(JSON.stringify(body), { status }), warn);
  return { call, warn };
};

test("a failed loyalty call has the specification's message, also as a warning in the log", async () => {
  const { call, warn } = refusing(404);
  await expect(call("GET loyalty/customer")).rejects.toThrow("Error fetching product: Unexpected status code: 404");
  expect(warn).toHaveBeenCalledExactlyOnceWith("Error fetching product: Unexpected status code: 404");
});

test("a failed edit or autologin has a message of its own, also as a warning in the log", async () => {
  const { call, warn } = refusing(400);
  await expect(call("PUT customer", { Firstname: "A", Lastname: "B" })).rejects.toThrow(
    /: Unexpected status code: 400$/,
  );
  await expect(call("POST customer/autologin", { Email: "a@b.fr", Token: "x" })).rejects.toThrow(
    /: Unexpected status code: 400$/,
  );
  expect(warn).toHaveBeenCalledTimes(2);
});

test("any other failure has the plain message, no warning, and the refusal's text for the screen", async () => {
  const { call, warn } = refusing(401);
  const failed: CallFailed = await call("GET customer").then(
    () => expect.fail(),
    (error) => error,
  );
  expect(failed).toBeInstanceOf(CallFailed);
  expect(failed.message).toBe("Unexpected status code: 401");
  expect(failed.problem?.detail).toBe("Introuvable");
  expect(warn).not.toHaveBeenCalled();
});

test("a response that is not problem+json, a proxy's page for example, is still a failure with its status", async () => {
  const call = createCall(async () => new Response("<html>Bad gateway</html>", { status: 502 }));
  const failed: CallFailed = await call("GET customer").then(
    () => expect.fail(),
    (error) => error,
  );
  expect(failed).toMatchObject({ status: 502, problem: undefined });
});

test("fields go into the path, the query or a form, never twice", async () => {
  const asked: { path: string; fields: [string, unknown][]; key: string | null }[] = [];
  const call = createCall(async (path, { body, headers }) => {
    const fields = body instanceof FormData ? [...body] : [];
    asked.push({ path, fields, key: new Headers(headers).get("idempotency-key") });
    return new Response("{}");
  });
  await call("DELETE customer/session/{id}", { id: 7 });
  await call("GET loyalty/history", { Limit: 5 });
  await call("POST loyalty/event/obtain", { IdLoyaltyProgramEvent: 2 }, { idempotencyKey: "k" });
  expect(asked).toEqual([
    { path: "/api/customer/session/7", fields: [], key: null },
    { path: "/api/loyalty/history?Limit=5", fields: [], key: null },
    { path: "/api/loyalty/event/obtain", fields: [["IdLoyaltyProgramEvent", "2"]], key: "k" },
  ]);
});
