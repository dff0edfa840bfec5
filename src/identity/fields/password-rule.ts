/** The length of a password, in characters. The specification's numbers; docs/decisions/0006-accept-passwords-of-6-to-15-characters.md says why they stay. */
export const passwordLength = { min: 6, max: 15 } as const;

/** Characters are code points after NFC: an accented letter is one, however it was typed. */
function passwordCharacters(password: string): number {
  return [...password.normalize("NFC")].length;
}

export function isPasswordLength(password: string): boolean {
  const characters = passwordCharacters(password);
  return characters >= passwordLength.min && characters <= passwordLength.max;
}

/** How long a reset link stays valid. */
export const resetLinkMinutes = 30;
