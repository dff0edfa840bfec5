// Stands in for Facebook's SDK: the same functions, with a popup of the sandbox.
(() => {
  const base = document.currentScript.src.replace(/\/sdk\.js.*$/, "");
  let appId;

  const request = (path, method = "GET") =>
    fetch(`${base}/${path}?${new URLSearchParams({ app_id: appId })}`, { method, credentials: "same-origin" });

  const signedOut = { status: "unknown", authResponse: null };

  window.FB = {
    init(options) {
      appId = options.appId;
    },
    AppEvents: {
      logPageView() {
        void request("page-view", "POST").catch(() => {});
      },
    },
    getLoginStatus(callback) {
      request("status")
        .then((response) => response.json())
        .then(callback, () => callback(signedOut));
    },
    login(callback, options = {}) {
      const query = new URLSearchParams({ app_id: appId, scope: options.scope ?? "" });
      if (options.auth_type) query.set("auth_type", options.auth_type);
      window.openSandboxPopup(`${base}/consent?${query}`, (message) => callback(message?.login ?? signedOut));
    },
    logout(callback) {
      request("logout", "POST").then(
        () => callback?.(signedOut),
        () => callback?.(signedOut),
      );
    },
  };
  window.fbAsyncInit?.();
})();
