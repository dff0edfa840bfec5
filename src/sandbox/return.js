// The last page of a sandbox provider's window: tells the page that opened it, and closes.
const told = document.getElementById("return").dataset.message;
// Only a page of this very site may hear it.
window.opener?.postMessage({ sandbox: true, ...JSON.parse(told) }, location.origin);
window.close();
