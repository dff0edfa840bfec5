/** The owner recognises it, no one else learns the address: `c•••@exemple.fr`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}•••${email.slice(at)}`;
}
