import { TitledScreen } from "./password-flow.tsx";

/** The password layout by itself, without a screen in it. */
export function Component() {
  return <TitledScreen />;
}
