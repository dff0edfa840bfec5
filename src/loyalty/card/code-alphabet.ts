/** Without I, L and O, which are easily confused with digits, and without vowels, which could form a word. */
export const codeLetters = "BCDFGHJKMNPQRSTVWXZ";
export const codeAlphabet = `23456789${codeLetters}`;
export const codeLength = 12;

export const voucherCode = new RegExp(`^[${codeAlphabet}]{${codeLength}}$`);
/** A voucher's code as people may see it who must not use it: its end, which tells vouchers apart. */
export const maskedCode = (code: string) => `${"•".repeat(codeLength - 4)}${code.slice(-4)}`;

/** The code on a receipt that names no customer: by its A, which no voucher has, a scan tells them apart. */
export const claimCode = new RegExp(`^A[${codeAlphabet}]{${codeLength - 1}}$`);
