export const posterPath = "/store/qrcode";
/** Short enough to type from a poster; it redirects to the page of the poster's QR code. */
export const shortPath = "/store";
/** Printed on receipts as a QR code, so as short as it can be: `/r/CODE` redirects to the member page. */
export const receiptPath = "/r";
