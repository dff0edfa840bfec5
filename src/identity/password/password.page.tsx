export { PasswordFlow as Component, passwordAction as action, passwordLoader as loader } from "./password-flow.tsx";
