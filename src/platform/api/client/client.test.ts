import { expect, test, vi } from "vitest";
import { CallFailed, createCall, type WarningPrefix } from "./client.ts";

const refusing = (status: number, warningPrefix?: WarningPrefix) => {
  const warn = vi.fn();
  const refuse = async () => Response.json({ code: "not_found", detail: "Introuvable" }, { status });
  return { call: createCall(refuse, { warn, warningPrefix }), warn };
};

test.each(["Error editing: ", ""])("a failure with the prefix '%s' is warned of in the log", async (prefix) => {
  const { call, warn } = refusing(400, (line) => (line === "PUT customer" ? prefix : undefined));
  const message = `${prefix}Unexpected status code: 400`;
  await expect(call("PUT customer", { Firstname: "A", Lastname: "B" })).rejects.toThrow(message);
  expect(warn).toHaveBeenCalledExactlyOnceWith(message);
});

test("a failure without a prefix is not logged, and the screen gets the refusal's own text", async () => {
  const { call, warn } = refusing(401, () => undefined);
  const failed: CallFailed = await call("GET customer").then(
    () => expect.fail(),
    (error) => error,
  );
  expect(failed).toBeInstanceOf(CallFailed);
  expect(failed.message).toBe("Unexpected status code: 401");
  expect(failed.problem?.detail).toBe("Introuvable");
  expect(warn).not.toHaveBeenCalled();
});

test("the caller's form is left as it was, so that it can be sent again", async () => {
  const sent: string[] = [];
  const call = createCall(async (path, { body }) => {
    sent.push([path, ...(body as FormData).keys()].join(" "));
    return Response.json({});
  });
  const form = new FormData();
  form.set("id", "7");
  form.set("Name", "Phone");
  for (let time = 0; time < 2; time += 1) await call("PUT customer/passkey/{id}", form, { forCustomer: "12" });
  expect(sent).toEqual(Array(2).fill("/api/customer/passkey/7 Name ForCustomer"));
  expect([...form.keys()]).toEqual(["id", "Name"]);
});

test("a response that is no problem document, such as a proxy's page, is still a failure with its status", async () => {
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
