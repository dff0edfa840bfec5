/** For an `<input type="date">` where the browser has no picker and takes any text: a day as the API spells it. */
export const typedDay = { pattern: "\\d{4}-\\d{2}-\\d{2}", maxLength: 10, placeholder: "2026-12-31" };
