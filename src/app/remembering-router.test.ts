import { Hono } from "hono";
import { expect, test } from "vitest";
import { createRememberingRouter } from "./remembering-router.server.ts";

function open() {
  const app = new Hono({ router: createRememberingRouter() });
  app.use(async (c, next) => {
    await next();
    c.header("middleware", "ran");
  });
  app.get("/customer/search", (c) => c.text("search"));
  app.get("/customer/:id", (c) => c.text(`customer ${c.req.param("id")}`));
  app.post("/customer/:id", (c) => c.text(`changed ${c.req.param("id")}`));
  const ask = async (path: string, method = "GET") => {
    const response = await app.request(path, { method });
    expect(response.headers.get("middleware")).toBe("ran");
    return response.text();
  };
  return ask;
}

test("a path that is asked for again has its own route, parameters and middleware", async () => {
  const ask = open();
  for (let round = 0; round < 3; round += 1) {
    expect(await ask("/customer/1")).toBe("customer 1");
    expect(await ask("/customer/2")).toBe("customer 2");
    expect(await ask("/customer/search")).toBe("search");
    expect(await ask("/customer/1", "POST")).toBe("changed 1");
    expect(await ask("/nothing")).toBe("404 Not Found");
  }
});

test("more paths than are remembered, and longer ones, are found too", async () => {
  const ask = open();
  for (let n = 0; n < 1_200; n += 1) expect(await ask(`/customer/${n}`)).toBe(`customer ${n}`);
  const long = "x".repeat(200);
  for (let round = 0; round < 2; round += 1) expect(await ask(`/customer/${long}`)).toBe(`customer ${long}`);
});
