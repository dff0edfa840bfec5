// Asks for a page with all its files, and reads and writes through the API, until it gets SIGTERM; then tells what failed.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
const site = process.argv[2];
let going = true;
let pages = 0;
let calls = 0;
const failed = [];
process.on("SIGTERM", () => (going = false));

async function ask(path, init) {
  try {
    const response = await fetch(site + path, { ...init, headers: { host: "account.example", ...init?.headers } });
    const text = await response.text();
    if (response.status !== 200) failed.push(`${path} ${response.status}`);
    return text;
  } catch (error) {
    failed.push(`${path} ${error.cause ?? error}`);
    return "";
  }
}
async function page() {
  while (going) {
    const html = await ask("/");
    const files = new Set([...html.matchAll(/"(\/assets\/[^"?]+)"/g)].map(([, file]) => file));
    if (files.size === 0) failed.push("a page without files");
    // A browser asks for them a moment later, of whichever machine and release answers by then.
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const file of files) await ask(file);
    pages += 1;
  }
}
async function call(n) {
  while (going) {
    if (n % 2) await ask("/api/loyalty/programme");
    else {
      const body = new URLSearchParams({ Email: `charge-${process.pid}@exemple.fr` });
      await ask("/api/customer/email/available", { method: "POST", body });
    }
    calls += 1;
    // One client may ask for addresses sixty times a minute.
    await new Promise((resolve) => setTimeout(resolve, n % 2 ? 20 : 1_200));
  }
}
await Promise.all([page(), page(), call(0), call(1)]);
console.log(
  `${pages} pages with their files, ${calls} calls, ${failed.length} failed${failed.slice(0, 5).map((one) => `; ${one}`)}`,
);
process.exit(failed.length === 0 ? 0 : 1);
