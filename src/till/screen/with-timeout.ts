/** Without a response for so long, the network counts as gone. */
const timeoutMs = 10_000;

export function withTimeout<T>(call: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new DOMException("No response", "TimeoutError")), timeoutMs),
  );
  return Promise.race([call, late]);
}
