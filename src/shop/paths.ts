export const posterPath = "/store/qrcode";
/** Short enough to type from a poster; it redirects to the page of the poster's QR code. */
export const shortPath = "/store";
