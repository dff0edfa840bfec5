import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
});

const origin = "http://localhost";

/** Runs a service worker without a network and returns its response to a navigation. */
async function navigateOffline(
  file: string,
  { path, build, preload }: { path: string; build: object; preload: () => Promise<Response | undefined> },
): Promise<Response> {
  const listeners = new Map<string, (event: object) => void>();
  const cache = { match: async () => new Response("stored page") };
  vi.stubGlobal("self", {
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    location: { origin },
    registration: { scope: origin + path },
  });
  vi.stubGlobal("build", build);
  vi.stubGlobal("caches", { open: async () => cache, keys: async () => [], match: async () => undefined });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("NetworkError")));
  await import(/* @vite-ignore */ file);
  return new Promise((resolve, reject) => {
    listeners.get("fetch")?.({
      request: { url: origin + path, method: "GET", mode: "navigate" },
      // Not before: until the worker listens, a rejection would have no handler.
      preloadResponse: preload(),
      respondWith: (response: Promise<Response>) => response.then(resolve, reject),
    });
  });
}

test.each([
  {
    file: "./service-worker.ts",
    path: "/en/account",
    build: { id: "1", files: [], shells: { en: "/en/offline" } },
  },
  { file: "#till/offline/till-worker.ts", path: "/en/till", build: { id: "1", common: [], texts: {} } },
])("$file: without a network the stored page opens, however the browser reports a failed preload", async (worker) => {
  const { file, ...options } = worker;
  // Firefox resolves a failed navigation preload with an error response; Chromium rejects; Safari has no preload.
  const preloads = [
    async () => Response.error(),
    () => Promise.reject(new TypeError("Failed to fetch")),
    async () => undefined,
  ];
  for (const preload of preloads) {
    vi.resetModules();
    const response = await navigateOffline(file, { ...options, preload });
    expect(response.type).not.toBe("error");
    expect(await response.text()).toBe("stored page");
  }
});
