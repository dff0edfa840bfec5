// Development only: React's refresh runtime must stand before the first component loads, and inline scripts are refused.
import { injectIntoGlobalHook } from "/@react-refresh";

injectIntoGlobalHook(window);
window.$RefreshReg$ = () => {};
window.$RefreshSig$ = () => (type) => type;
await import("/@vite/client");
await import("/src/pages/browser.tsx");
