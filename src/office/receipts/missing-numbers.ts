/** A till that starts anew, or counts in larger steps, is no gap. */
const largestGap = 50;

/** The numbers that are missing between others of the same sequence: the same beginning, then digits of the same length. */
export function missingNumbers(numbers: readonly string[]): string[] {
  const sequences = new Map<string, number[]>();
  for (const number of numbers) {
    const [, beginning = "", digits = ""] = /^(.*?)(\d{1,15})$/.exec(number) ?? [];
    if (digits === "") continue;
    const sequence = `${digits.length}:${beginning}`;
    sequences.set(sequence, [...(sequences.get(sequence) ?? []), Number(digits)]);
  }
  return [...sequences].flatMap(([sequence, found]) => {
    const [length = "", ...beginning] = sequence.split(":");
    const sorted = [...new Set(found)].sort((a, b) => a - b);
    return sorted.flatMap((number, index) => {
      const gap = number - (sorted[index - 1] ?? number) - 1;
      if (gap < 1 || gap > largestGap) return [];
      return Array.from(
        { length: gap },
        (_, n) => beginning.join(":") + String(number - gap + n).padStart(Number(length), "0"),
      );
    });
  });
}
