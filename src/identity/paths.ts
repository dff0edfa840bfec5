/** The pages identity has or leads to, without their language. Each path of the product is written once, in its room's `paths.ts`. */
export const pagePaths = {
  home: "/",
  error: "/error",
  login: "/authenticate/login",
  register: "/authenticate/register",
  forget: "/forget",
  reset: "/reset",
  /** The French word for it: French letters lead here. */
  reinitialiser: "/reinitialiser",
  passwordNew: "/password/new",
  passwordReset: "/password/reset",
  passwordValidate: "/password/validate",
  /** The screens of the password flow, each by itself. */
  passwordBackToLogin: "/password/components/BackToLogin",
  passwordNewForm: "/password/components/NewPasswordForm",
  passwordResetForm: "/password/components/ResetForm",
  passwordSentReset: "/password/components/SentReset",
  passwordLayout: "/password/components/PasswordLayout",
  autologin: "/account/autologin",
  confirmEmail: "/account/email",
  account: "/account",
  informations: "/account/informations",
  /** The member's page, with the card: where somebody who joins in a shop is led. */
  memberPage: "/account/loyalty/subscribe",
} as const;

/** Where the shop's poster leads: a registration that knows it comes from the shop. */
export const registerInStorePath = `${pagePaths.register}?from=store`;
