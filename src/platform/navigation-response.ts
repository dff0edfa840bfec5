/** A service worker's response to a navigation: the preloaded one, or a new request. */
export async function navigationResponse(event: {
  preloadResponse: Promise<unknown>;
  request: Request;
}): Promise<Response> {
  const preloaded = (await event.preloadResponse) as Response | undefined;
  // Firefox resolves a failed preload with an error response, where other browsers reject.
  return preloaded && preloaded.type !== "error" ? preloaded : fetch(event.request);
}
