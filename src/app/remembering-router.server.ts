import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

/** Paths that are called all the time are few and short; a longer one names a customer, a code or nothing. */
const most = 500;
const longest = 60;

/**
 * Hono's tree of routes, which walks each path anew, and remembers what it has found. Its other router, one regular
 * expression, is as quick, but refuses a parameter beside a fixed part, as in `customer/{id}` beside `customer/search`.
 */
export function createRememberingRouter<T>(): Router<T> {
  const tree = new TrieRouter<T>();
  const known = new Map<string, Result<T>>();
  return {
    name: "RememberingRouter",
    add: (method, path, handler) => tree.add(method, path, handler),
    match(method, path) {
      if (path.length > longest) return tree.match(method, path);
      const key = `${method} ${path}`;
      let found = known.get(key);
      if (!found) {
        found = tree.match(method, path);
        // Anybody can ask for paths that no one else asks for.
        if (known.size >= most) known.clear();
        known.set(key, found);
      }
      return found;
    },
  };
}
