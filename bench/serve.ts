/**
 * One side of a comparison over HTTP, in a process of its own: the product, or a bare handler with one query. Started by
 * `http.ts`, which asks it by messages for the processor time and the memory it uses.
 */
process.env["NODE_ENV"] = "production";
const { serveSide } = await import("./sides.ts");
const [side = "", databaseUrl = ""] = process.argv.slice(2);
const port = await serveSide(side, databaseUrl);
process.on("message", () => process.send?.({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() }));
process.on("disconnect", () => process.exit());
process.send?.({ port });

export {};
