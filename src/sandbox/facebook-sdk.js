// Stands for the Facebook-type provider's own SDK: the same names, a window of the sandbox behind them.
(() => {
  const base = document.currentScript.src.replace(/\/sdk\.js.*$/, "");
  let appId;

  const ask = (path, method = "GET") =>
    fetch(`${base}/${path}?${new URLSearchParams({ app_id: appId })}`, { method, credentials: "same-origin" });

  const stranger = { status: "unknown", authResponse: null };

  window.FB = {
    init(options) {
      appId = options.appId;
    },
    AppEvents: {
      logPageView() {
        void ask("page-view", "POST").catch(() => {});
      },
    },
    getLoginStatus(answered) {
      ask("status")
        .then((answer) => answer.json())
        .then(answered, () => answered(stranger));
    },
    login(answered, options = {}) {
      const query = new URLSearchParams({ app_id: appId, scope: options.scope ?? "" });
      window.openSandboxWindow(`${base}/consent?${query}`, (message) => answered(message?.login ?? stranger));
    },
    logout(answered) {
      ask("logout", "POST").then(
        () => answered?.(stranger),
        () => answered?.(stranger),
      );
    },
  };
  window.fbAsyncInit?.();
})();
