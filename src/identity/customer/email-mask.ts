/** Enough for the owner to recognise, too little for anybody else: `c•••@exemple.fr`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}•••${email.slice(at)}`;
}
