/** The pages of identity and those it links to, without their language. Each path of the product is written once, in its module's `paths.ts`. */
export const pagePaths = {
  home: "/",
  error: "/error",
  help: "/help",
  login: "/authenticate/login",
  register: "/authenticate/register",
  forget: "/forget",
  reset: "/reset",
  /** The reset page's French address, used by French mails. */
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
  stopEmailChange: "/account/email/stop",
  /** The link in an offer that ends them. */
  unsubscribe: "/unsubscribe",
  account: "/account",
  informations: "/account/informations",
  erase: "/account/informations/erase",
  /** The member's page, with the card. */
  memberPage: "/account/loyalty/subscribe",
} as const;

/** Where the shop's poster leads: the registration, marked as opened in the shop. */
const fromShop = { name: "from", value: "store" } as const;
export const registerInStorePath = `${pagePaths.register}?${fromShop.name}=${fromShop.value}`;
export const isFromShop = (search: URLSearchParams) => search.get(fromShop.name) === fromShop.value;

/** Where the links that invite to join the club lead: the registration, whose purpose is then the card. */
const joinParameter = "join";
export const registerToJoinPath = `${pagePaths.register}?${joinParameter}`;
export const isJoining = (search: URLSearchParams) => search.has(joinParameter) || isFromShop(search);

/** The registration to which a member's link leads, and then the page to join: with the code of that member. */
export const friendParameter = "friend";
export const registerByFriendPath = (code: string) =>
  `${registerToJoinPath}&${new URLSearchParams({ [friendParameter]: code })}`;
export const friendCode = (search: URLSearchParams) => search.get(friendParameter)?.slice(0, 64) ?? "";

/** The home page with this parameter says that the account was erased. */
export const erasedParameter = "erased";

/** An account page with this parameter congratulates on having joined the club while registering. */
export const joinedParameter = "joined";

/** The confirmation page with this parameter is about a changed address. */
export const changeParameter = "change";

/** The file that a customer's export is downloaded as. */
export const exportFileName = "cercle.json";
export const exportTableFileName = "cercle.csv";
/** The same as a document to read. */
export const readableExportFileName = "cercle.html";

/** The details with this parameter have one of their rows open. */
export const openParameter = "open";
