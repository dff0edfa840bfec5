// Opens a provider's popup and waits for its result. Served in front of both sandbox scripts.
window.openSandboxPopup = (address, callback) => {
  const left = Math.max(0, screenX + (outerWidth - 480) / 2);
  const opened = window.open(address, "_blank", `popup,width=480,height=720,left=${left},top=${screenY + 60}`);
  if (!opened) {
    callback(undefined, "blocked");
    return;
  }
  function end(message, reason) {
    removeEventListener("message", onMessage);
    clearInterval(closedPoll);
    callback(message, reason);
  }
  function onMessage(event) {
    const isResult = event.source === opened && event.origin === new URL(address).origin && event.data?.sandbox;
    if (isResult) end(event.data.cancelled ? undefined : event.data, "cancelled");
  }
  addEventListener("message", onMessage);
  // A popup closed by hand sends nothing, so its state is polled; its last message may still arrive.
  const closedPoll = setInterval(() => {
    if (!opened.closed) return;
    clearInterval(closedPoll);
    setTimeout(() => end(undefined, "closed"), 250);
  }, 200);
};
