import { setTimeout as sleep } from "node:timers/promises";

/** Asks again and again, reading and writing, on connections that are kept open; tells what did not work. */
export function load(site: string) {
  let going = true;
  let answered = 0;
  let read = 0;
  const failed: string[] = [];
  const one = async (n: number) => {
    while (going) {
      const body = n % 2 ? { method: "POST", body: new URLSearchParams({ Email: "charge@exemple.fr" }) } : {};
      const path = n % 2 ? "/api/customer/email/available" : "/api/loyalty/programme";
      await fetch(site + path, body).then(
        async (response) => {
          await response.text();
          answered += 1;
          if (!(n % 2)) read += 1;
          if (response.status !== 200) failed.push(`${path}: ${response.status}`);
        },
        (error: Error) => failed.push(`${path}: ${error.cause ?? error.message}`),
      );
      // Without a pause it would take a whole core from the tests beside it.
      await sleep(30);
    }
  };
  const all = [0, 1, 2, 3].map(one);
  return {
    async stop() {
      going = false;
      await Promise.all(all);
      return { answered, read, failed };
    },
  };
}
