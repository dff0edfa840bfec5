import type { LoaderFunctionArgs } from "react-router";
import {
  addPasskey,
  answerPreviousDetails,
  cancelEmailChange,
  changeEmail,
  changePassword,
  editCustomer,
  endOtherSessions,
  endSession,
  eraseCustomer,
  linkFacebook,
  linkGoogle,
  listApplications,
  listPasskeys,
  listSessions,
  readCustomer,
  readPendingEmail,
  readPreviousDetails,
  removeApplication,
  removePasskey,
  renamePasskey,
  resendVerification,
  unlinkSocial,
} from "#identity/calls.ts";
import { isoDay } from "#identity/fields/iso-day.ts";
import { erasedParameter, pagePaths } from "#identity/paths.ts";
import { sessionEnded } from "#identity/session/browser/session.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import type { Submission } from "#platform/api/client/form.ts";

export async function loader({ context }: LoaderFunctionArgs) {
  if (sessionEnded(context)) return null;
  const call = context.get(callContext);
  const [
    customer,
    { Details: offered },
    { Pending: pending },
    { Passkeys: passkeys },
    devices,
    { Applications: applications },
  ] = await Promise.all([
    call(readCustomer),
    call(readPreviousDetails),
    call(readPendingEmail),
    call(listPasskeys),
    call(listSessions),
    call(listApplications),
  ]);
  return {
    customer,
    offered,
    pending,
    passkeys,
    applications,
    sessions: devices.Sessions,
    proofNeeded: devices.ProofNeeded,
  };
}

export async function act({ form, intent, call, locale, go }: Submission) {
  switch (intent) {
    case "resend":
      await call(resendVerification);
      break;
    case "keep-details":
    case "discard-details":
      form.set("Keep", String(intent === "keep-details"));
      await call(answerPreviousDetails, form);
      break;
    case "email":
      await call(changeEmail, form);
      break;
    case "email-cancel":
      await call(cancelEmailChange);
      break;
    case "password":
      await call(changePassword, form);
      break;
    case "passkey-add":
      await call(addPasskey, form);
      break;
    case "passkey-rename":
      await call(renamePasskey, form);
      break;
    case "passkey-remove":
      await call(removePasskey, { id: String(form.get("id") ?? "") });
      break;
    case "application-remove":
      await call(removeApplication, { id: String(form.get("id") ?? "") });
      break;
    case "device":
      await call(endSession, { id: String(form.get("id") ?? "") });
      break;
    case "other-devices":
      await call(endOtherSessions);
      break;
    case "link-google":
      await call(linkGoogle, form);
      break;
    case "link-facebook":
      await call(linkFacebook, form);
      break;
    case "unlink-google":
    case "unlink-facebook":
      await call(unlinkSocial, { provider: intent.replace("unlink-", "") });
      break;
    case "erase":
      await call(eraseCustomer, form);
      return go(`${pagePaths.home}?${erasedParameter}`);
    case "messages":
      form.set("LanguageIsoCode", locale);
      // An unchecked box sends nothing, which would mean "unchanged".
      for (const box of ["NewsletterSubscribe", "NewsletterSmsSubscribe"])
        form.set(box, String(form.get(box) ?? "false"));
      await call(editCustomer, form);
      break;
    default:
      form.set("Birthday", isoDay(String(form.get("Birthday") ?? "")));
      form.set("LanguageIsoCode", locale);
      if (!form.get("MobilePhone")) form.set("MobilePhone", "none");
      await call(editCustomer, form);
  }
  return { ok: true as const, intent };
}
