// What both sandbox scripts need: open a provider's window and wait for its answer. Served in front of each of them.
window.openSandboxWindow = (address, answered) => {
  const left = Math.max(0, screenX + (outerWidth - 480) / 2);
  const opened = window.open(address, "_blank", `popup,width=480,height=720,left=${left},top=${screenY + 60}`);
  if (!opened) {
    answered(undefined, "blocked");
    return;
  }
  function end(message, reason) {
    removeEventListener("message", hear);
    clearInterval(watch);
    answered(message, reason);
  }
  function hear(event) {
    const ours = event.source === opened && event.origin === new URL(address).origin && event.data?.sandbox;
    if (ours) end(event.data.cancelled ? undefined : event.data, "cancelled");
  }
  addEventListener("message", hear);
  // A window closed by hand says nothing; its last message may still be on its way.
  const watch = setInterval(() => {
    if (!opened.closed) return;
    clearInterval(watch);
    setTimeout(() => end(undefined, "closed"), 250);
  }, 200);
};
