// Stands in for Google's client script: the same functions, with a popup of the sandbox.
(() => {
  const base = document.currentScript.src.replace(/\/client\.js.*$/, "");
  let options = {};

  function openConsent(onEnd) {
    const query = new URLSearchParams({ client_id: options.client_id, nonce: options.nonce ?? "" });
    window.openSandboxPopup(`${base}/consent?${query}`, (message, reason) => {
      onEnd?.(message, reason);
      if (message) options.callback({ credential: message.credential, select_by: "btn" });
    });
  }

  /** The outcome of a prompt, in Google's format. */
  function moment(kind, reason) {
    return {
      isDisplayMoment: () => kind === "display",
      isDisplayed: () => kind !== "skipped",
      isNotDisplayed: () => false,
      isSkippedMoment: () => kind === "skipped",
      getSkippedReason: () => reason,
      isDismissedMoment: () => kind === "dismissed",
      getDismissedReason: () => reason,
      getMomentType: () => kind,
    };
  }

  window.google = {
    accounts: {
      id: {
        initialize(given) {
          options = given;
        },
        prompt(listener) {
          openConsent((message, reason) => {
            if (message) listener?.(moment("dismissed", "credential_returned"));
            else if (reason === "blocked") listener?.(moment("skipped", "auto_cancel"));
            else listener?.(moment("dismissed", "cancel_called"));
          });
        },
        renderButton(parent) {
          const button = document.createElement("button");
          button.type = "button";
          button.textContent = window.sandboxWords.button;
          button.style.cssText =
            "width:100%;min-height:44px;border:1px solid #8d877d;border-radius:4px;background:#fff;font:inherit;cursor:pointer";
          button.addEventListener("click", () => openConsent());
          parent.replaceChildren(button);
        },
        disableAutoSelect() {},
        cancel() {},
      },
    },
  };
})();
