/** The EAN-13 range reserved for use inside a shop. */
const prefix = "29";

/** How many card numbers there are. */
export const cardNumbers = 1e9;

/**
 * The card number of a number below 10^9: the prefix, nine digits, a check digit of our own and that of EAN-13. A scanner
 * checks the last one only, and one wrong reading in ten passes it: the other keeps most of those from naming another customer.
 */
export function cardNumberOf(number: number): string {
  const eleven = `${prefix}${String(number).padStart(9, "0")}`;
  const twelve = `${eleven}${innerCheckDigit(eleven)}`;
  return `${twelve}${eanCheckDigit(twelve)}`;
}

/** Whether 13 digits are a number that this product issues; the others of the shops' range are misread. */
export function isCardNumber(digits: string): boolean {
  const [eleven, twelve] = [digits.slice(0, 11), digits.slice(0, 12)];
  return /^29\d{11}$/.test(digits) && digits === `${eleven}${innerCheckDigit(eleven)}${eanCheckDigit(twelve)}`;
}

/** EAN-13: weights 1 and 3 in turn, completed to the next ten. */
export function eanCheckDigit(twelve: string): number {
  const sum = [...twelve].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return (10 - (sum % 10)) % 10;
}

/** ISO/IEC 7064, MOD 11,10: finds every single wrong digit, and other errors than the sum of EAN-13 does. */
export function innerCheckDigit(digits: string): number {
  let product = 10;
  for (const digit of digits) product = (((product + Number(digit)) % 10 || 10) * 2) % 11;
  return (11 - product) % 10;
}
