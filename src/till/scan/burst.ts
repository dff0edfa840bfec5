/** A key pressed, as a keydown event tells it. */
export interface KeyPress {
  key: string;
  /** The place of the key on the keyboard, whatever the layout: Digit1. */
  code: string;
  shift: boolean;
  /** Milliseconds, when the system saw it: a busy page handles it later. */
  at: number;
}

const fewestCharacters = 6;
export const longestGapMs = 150;
const longestMeanMs = 45;
/** Nobody types so many digits at a scanner's speed. */
const fewestOfFragment = 5;

/**
 * Tells a scanner from a person. A scanner types a burst that Enter ends: at least six characters, no gap over 150 ms, on
 * average at most 45 ms. A fixed short gap would fail on a busy device, where some keys are late.
 */
export function createBurstDetector() {
  let presses: KeyPress[] = [];
  return {
    /** How many keys the burst has so far; after a gap this one is the first. */
    add(press: KeyPress): number {
      const last = presses.at(-1);
      if (last && press.at - last.at > longestGapMs) presses = [];
      presses.push(press);
      return presses.length;
    },
    /** Enter: what was scanned, or undefined when a person typed it. */
    end(at: number): string | undefined {
      const burst = presses;
      presses = [];
      const [first] = burst;
      const last = burst.at(-1);
      if (!first || !last || burst.length < fewestCharacters || at - last.at > longestGapMs) return undefined;
      return (at - first.at) / burst.length <= longestMeanMs ? textOf(burst) : undefined;
    },
    /** The keys have paused: what came was typed by a scanner whose Enter is missing. */
    isFragment(): boolean {
      const [first] = presses;
      const last = presses.at(-1);
      if (!first || !last || presses.length < fewestOfFragment) return false;
      const digitsAlone = presses.every(({ code }) => digitOf(code) !== undefined);
      return digitsAlone && (last.at - first.at) / (presses.length - 1) <= longestMeanMs;
    },
    /** Something else happened: a key that types nothing, a shortcut, a key held down. */
    reset(): void {
      presses = [];
    },
  };
}

const digitOf = (code: string) => /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];

/**
 * A scanner set to the American layout presses Digit1 for 1, which types & on a French keyboard. A digit key without Shift
 * that types no digit gives it away: then the whole burst is read by the places of its keys.
 */
function textOf(burst: KeyPress[]): string {
  const digits = burst.map(({ code }) => digitOf(code));
  if (digits.every((digit) => digit !== undefined)) return digits.join("");
  const otherLayout = burst.some(({ key, shift }, index) => digits[index] !== undefined && !shift && !/\d/.test(key));
  return burst.map((press) => (otherLayout ? americanKey(press) : press.key)).join("");
}

const signs: Record<string, string> = { Minus: "-", Period: ".", Slash: "/" };
const shiftedSigns: Record<string, string> = { Minus: "_", Digit2: "@", Semicolon: ":", Equal: "+" };

function americanKey({ key, code, shift }: KeyPress): string {
  const email = /^Key([A-Z])$/.exec(code)?.[1];
  if (email) return shift ? email : email.toLowerCase();
  return (shift ? shiftedSigns[code] : (digitOf(code) ?? signs[code])) ?? key;
}
