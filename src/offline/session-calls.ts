import {
  autologin,
  register,
  signInWithCode,
  signInWithEmail,
  signInWithFacebook,
  signInWithGoogle,
  signInWithPasskey,
} from "#identity/calls.ts";

/** The calls that open a session. */
export const sessionCalls: string[] = [
  ...[signInWithEmail, signInWithGoogle, signInWithFacebook, signInWithCode, signInWithPasskey],
  ...[autologin, register],
];
