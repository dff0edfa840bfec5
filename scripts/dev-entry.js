// Development only: React's refresh runtime must load before the first component, and the CSP refuses inline scripts.
import { injectIntoGlobalHook } from "/@react-refresh";

injectIntoGlobalHook(window);
window.$RefreshReg$ = () => {};
window.$RefreshSig$ = () => (type) => type;
await import("/@vite/client");
await import("/src/pages/browser.tsx");
