import { randomBytes } from "node:crypto";

const drawn = 4_096;
let pool = Buffer.alloc(0);
let used = 0;

/** Random bytes out of a larger draw, for what every request needs: drawing a few costs as much as drawing thousands. */
export function takeRandom(size: number): Buffer {
  if (used + size > pool.length) {
    pool = randomBytes(drawn);
    used = 0;
  }
  used += size;
  return pool.subarray(used - size, used);
}
