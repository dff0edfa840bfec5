// The last page of a sandbox provider's popup: posts the result to the page that opened it, and closes.
const message = document.getElementById("return").dataset.message;
// Only a page of the same origin may receive it.
window.opener?.postMessage({ sandbox: true, ...JSON.parse(message) }, location.origin);
window.close();
