export const posterPath = "/store/qrcode";
/** Short enough to type from a poster; it leads where the poster's code leads. */
export const shortPath = "/store";
