/** Without I, L and O, which are easily confused with digits, and without vowels, which could form a word. */
export const codeLetters = "BCDFGHJKMNPQRSTVWXZ";
export const codeAlphabet = `23456789${codeLetters}`;
export const codeLength = 12;

export const voucherCode = new RegExp(`^[${codeAlphabet}]{${codeLength}}$`);
/** The code on a receipt that names nobody: by its A, which no voucher has, a scan tells them apart. */
export const claimCode = new RegExp(`^A[${codeAlphabet}]{${codeLength - 1}}$`);
