import type { LoaderFunctionArgs } from "react-router";
import { barePath } from "#i18n/locale.ts";
import { forgetPassword, resetPassword, validateReset } from "#identity/calls.ts";
import type { SocialProvider } from "#identity/customer/social-providers.ts";
import { pagePaths } from "#identity/paths.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import { CallFailed } from "#platform/api/client/client.ts";
import type { Submission } from "#platform/api/client/form.ts";
import { storeResetEmail } from "./reset-email.ts";

export type Screen =
  | { name: "ask" }
  | { name: "sent"; email?: string }
  | {
      name: "choose";
      token: string;
      email: string;
      linked: SocialProvider[];
      passkeys: number;
      walletPass: boolean;
      asksForDetails: boolean;
    }
  | { name: "expired" }
  | { name: "done" };

/** Reads the link without using it up: a mail scanner may open the page. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Screen> {
  const url = new URL(request.url);
  const token = url.searchParams.get("token");
  if (!token) return { name: barePath(url.pathname) === pagePaths.passwordValidate ? "sent" : "ask" };
  try {
    const call = context.get(callContext);
    const link = await call(validateReset, { Token: token, WithDetails: true });
    const { Email, SocialLogins = [], Passkeys = 0, WalletPass = false, AsksForDetails = false } = link;
    return {
      name: "choose",
      ...{ token, email: Email, linked: SocialLogins, passkeys: Passkeys },
      ...{ walletPass: WalletPass, asksForDetails: AsksForDetails },
    };
  } catch (error) {
    if (error instanceof CallFailed && (error.status === 409 || error.status === 400)) return { name: "expired" };
    throw error;
  }
}

export async function act({ form, intent, call }: Submission): Promise<Screen> {
  if (intent === "choose") {
    await call(resetPassword, form);
    return { name: "done" };
  }
  await call(forgetPassword, form);
  const email = String(form.get("Email") ?? "");
  if (!import.meta.env.SSR) storeResetEmail(email);
  return { name: "sent", email };
}
