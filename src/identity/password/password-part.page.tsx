import { useLocation } from "react-router";
import { isRefused } from "#platform/api/client/form.ts";
import { useActed } from "#platform/api/client/use-loaded.ts";
import {
  BackToLogin,
  PasswordFlow,
  type passwordAction,
  ResetForm,
  SentReset,
  TitledScreen,
} from "./password-flow.tsx";

export { passwordAction as action, passwordLoader as loader } from "./password-flow.tsx";

/** The flow's screens, each on an address of its own, such as /password/components/ResetForm. */
export function Component() {
  const part = useLocation().pathname.split("/").at(-1);
  const acted = useActed<typeof passwordAction>();
  // Once a form was submitted, the flow goes on as on the other addresses.
  if (acted && !isRefused(acted)) return <PasswordFlow />;
  switch (part) {
    case "BackToLogin":
      return (
        <TitledScreen>
          <BackToLogin />
        </TitledScreen>
      );
    case "SentReset":
      return <SentReset />;
    case "ResetForm":
      return <ResetForm refused={acted} />;
    default:
      // NewPasswordForm with a token sets the password; without one it asks for the address to mail.
      return <PasswordFlow />;
  }
}
